package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		local2 := "x"
		local1 := local2

		a, err := random.NewRandomPet(ctx, "a", &random.RandomPetArgs{
			Prefix: pulumi.String(local1),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", a.ID())
		return nil
	})
}
