package main

import (
	"fmt"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/rivo/uniseg"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		up := local.RunOutput(ctx, local.RunOutputArgs{Command: pet.ID()})
		low := local.RunOutput(ctx, local.RunOutputArgs{Command: pulumi.String("echo ABC")})

		ctx.Export("u", up.Stdout())
		ctx.Export("l", low.Stdout())

		manyRange := low.Stdout().ApplyT(func(stdout string) int {
			return uniseg.GraphemeClusterCount(stdout)
		}).(pulumi.IntOutput)
		manyRange.ApplyT(func(value int) (any, error) {
			for i := range value {
				_, err := random.NewRandomPet(ctx, fmt.Sprintf("many-%d", i), nil)
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		return nil
	})
}
