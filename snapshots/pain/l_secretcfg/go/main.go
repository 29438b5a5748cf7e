package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		pw := cfg.RequireSecret("pw")

		_, err := random.NewRandomPet(ctx, "p", &random.RandomPetArgs{
			Prefix: pw,
		})
		if err != nil {
			return err
		}

		ctx.Export("o", pw)
		return nil
	})
}
