package main

import (
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		sh, err := random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			Inputs: pulumi.StringArray{pulumi.String("a"), pulumi.String("b")},
		})
		if err != nil {
			return err
		}

		sh.Results.ApplyT(func(items []string) (any, error) {
			for i, result := range items {
				_, err := random.NewRandomPet(ctx, fmt.Sprintf("pets-%d", i), &random.RandomPetArgs{
					Prefix: pulumi.String(result),
				})
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		return nil
	})
}
