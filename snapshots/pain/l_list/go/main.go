package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		names := pulumi.StringArray{pulumi.String("a"), pulumi.String("b")}

		_, err := random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			Inputs: names,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
