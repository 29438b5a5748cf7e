package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", &random.RandomPetArgs{
			Keepers: pulumi.StringMap{"a": pulumi.String("1")},
		})
		if err != nil {
			return err
		}

		ctx.Export("o", pulumi.Map{
			"a": pet.ID().ToStringOutput(),
			"n": pulumi.Int(1),
			"l": pulumi.StringArray{pulumi.String("x")},
		})
		return nil
	})
}
