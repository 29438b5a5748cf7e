package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// leading config
		// trailing config
		// inside config
		// default
		env, err := cfg.Try("env")
		if err != nil {
			env = "dev"
		}

		// leading local
		names := pulumi.StringArray{
			// opening
			// before a
			// after a
			pulumi.String("a"),
			pulumi.String("b"),
			// tail in list
		}

		// block
		// comment
		// head
		// opts
		// before protect
		// after protect
		_, err = random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			// before inputs
			// after inputs
			Inputs: names,
			// only comment
			ResultCount: pulumi.Int(1),
			// tail in resource
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		// out
		// inside out
		ctx.Export("o", pulumi.StringMap{
			// obj
			// k1
			// aft k1
			"k1": pulumi.String(env),
			// tail obj
		})

		// end of file
		return nil
	})
}
