package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		p, err := random.NewRandomPet(ctx, "p", &random.RandomPetArgs{
			Keepers: pulumi.StringMap{"a": pulumi.String("b")},
		})
		if err != nil {
			return err
		}

		_, err = random.NewRandomPet(ctx, "q", &random.RandomPetArgs{
			Prefix: p.Keepers.MapIndex(pulumi.String("a")),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", p.Keepers.MapIndex(pulumi.String("a")))
		return nil
	})
}
