package main

import (
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		var pets []*random.RandomPet
		for i := range 2 {
			randomPet, err := random.NewRandomPet(ctx, fmt.Sprintf("pets-%d", i), &random.RandomPetArgs{
				Prefix: pulumi.Sprintf("p-%d", i),
			})
			if err != nil {
				return err
			}
			pets = append(pets, randomPet)
		}

		all := make(pulumi.IDArray, 0, len(pets))
		for _, pet := range pets {
			all = append(all, pet.ID())
		}
		ctx.Export("all", all)

		ctx.Export("first", pets[0].ID())
		return nil
	})
}
