package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		errRandomPet, err := random.NewRandomPet(ctx, "err", nil)
		if err != nil {
			return err
		}

		ctx.Export("o", errRandomPet.ID())
		return nil
	})
}
