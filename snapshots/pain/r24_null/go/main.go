package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := random.NewRandomPet(ctx, "pet", &random.RandomPetArgs{
			Keepers: pulumi.StringMap{},
		})
		if err != nil {
			return err
		}

		_, err = random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			Inputs: pulumi.StringArray{},
		})
		if err != nil {
			return err
		}

		ctx.Export("n", pulumi.Any(nil))
		ctx.Export("o", pulumi.Array{})
		ctx.Export("p", pulumi.Map{})
		return nil
	})
}
