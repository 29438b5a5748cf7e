package main

import (
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// Who the pets belong to.
		owner := cfg.Require("owner")

		// One name for each pet.
		var name []*random.RandomPet
		for i := range 2 {
			randomPet, err := random.NewRandomPet(ctx, fmt.Sprintf("name-%d", i), &random.RandomPetArgs{
				Prefix: pulumi.String(owner),
			})
			if err != nil {
				return err
			}
			name = append(name, randomPet)
		}

		names := make(pulumi.IDArray, 0, len(name))
		for _, randomPet := range name {
			names = append(names, randomPet.ID())
		}
		ctx.Export("names", names)
		return nil
	})
}
