package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		env := cfg.Require("env")

		var prefix *string
		if env == "prd" {
			prefix = pulumi.StringRef("p")
		}
		a, err := random.NewRandomPet(ctx, "a", &random.RandomPetArgs{
			Prefix: pulumi.StringPtrFromPtr(prefix),
		})
		if err != nil {
			return err
		}

		isProd := "false"
		if env == "prd" {
			isProd = "true"
		}
		tier := 2
		if env == "prd" || env == "tools" {
			tier = 1
		}
		ctx.Export("labels", pulumi.Map{
			"isProd": pulumi.String(isProd),
			"tier":   pulumi.Int(tier),
		})

		ctx.Export("t", a.ID().ApplyT(func(id pulumi.ID) string {
			if id == pulumi.ID("x") {
				return "y"
			}
			return "n"
		}))
		return nil
	})
}
