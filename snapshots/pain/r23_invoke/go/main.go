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

		lowResult, err := local.Run(ctx, &local.RunArgs{Command: "echo ABC"})
		if err != nil {
			return err
		}
		low := *lowResult

		for i := range uniseg.GraphemeClusterCount(low.Stdout) {
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("many-%d", i), nil)
			if err != nil {
				return err
			}
		}

		ctx.Export("u", up.Stdout())
		ctx.Export("l", pulumi.String(low.Stdout))
		return nil
	})
}
