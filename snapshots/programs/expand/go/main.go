// A list as the last arguments of a function.

package main

import (
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		size, err := cfg.TryInt("size")
		if errors.Is(err, config.ErrMissingVar) {
			size = 2
		} else if err != nil {
			return err
		}

		ctx.Export("largest", pulumi.Int(max(3, size, 1)))
		ctx.Export("withOthers", pulumi.Int(max(0, size, 5)))
		return nil
	})
}
