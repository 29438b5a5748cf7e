package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		local := pet.ID()

		_, err = random.NewRandomPet(ctx, "b", &random.RandomPetArgs{
			Prefix: pulumi.Sprintf("%s-b", local),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", pulumi.Array{pet.ID(), pulumi.String("lit")})
		return nil
	})
}
