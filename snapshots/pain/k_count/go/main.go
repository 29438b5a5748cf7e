package main

import (
	"fmt"

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

		pRange := sh.Results.ApplyT(func(results []string) int { return len(results) }).(pulumi.IntOutput)
		pRange.ApplyT(func(value int) (any, error) {
			for i := range value {
				_, err := random.NewRandomPet(ctx, fmt.Sprintf("p-%d", i), &random.RandomPetArgs{
					Prefix: sh.Results.Index(pulumi.Int(i)),
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
