package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		randomPet, err := random.NewRandomPet(ctx, "random", nil)
		if err != nil {
			return err
		}

		b, err := random.NewRandomPet(ctx, "b", &random.RandomPetArgs{
			Prefix: randomPet.ID(),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", b.ID())
		return nil
	})
}
