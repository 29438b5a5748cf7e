package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		names := []string{"a", "b"}

		_, err := random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			Inputs: pulumi.ToStringArray(names),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
