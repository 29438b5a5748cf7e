package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		sh, err := random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			Inputs: pulumi.StringArray{pulumi.String("a")},
		})
		if err != nil {
			return err
		}

		p, err := random.NewRandomPet(ctx, "p", &random.RandomPetArgs{
			Prefix: sh.Results.Index(pulumi.Int(0)),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", pulumi.Sprintf("%s-%s", sh.Results.Index(pulumi.Int(0)), p.ID()))
		return nil
	})
}
