// Inputs that take values of more than one type.

package main

import (
	"errors"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		side, err := cfg.TryFloat64("side")
		if errors.Is(err, config.ErrMissingVar) {
			side = 2
		} else if err != nil {
			return err
		}

		whole, err := probe.NewThing(ctx, "whole", &probe.ThingArgs{
			Either: pulumi.Int(3),
			Shape: &probe.CircleArgs{
				Form:   pulumi.String("circle"),
				Radius: pulumi.Float64(1.5),
			},
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "text", &probe.ThingArgs{
			Either: pulumi.String("three"),
			Shape: &probe.SquareArgs{
				Form: pulumi.String("square"),
				Side: pulumi.Float64(side),
			},
			Shapes: pulumi.Array{
				&probe.SquareArgs{
					Form: pulumi.String("square"),
					Side: pulumi.Float64(1),
				},
				&probe.CircleArgs{
					Form:   pulumi.String("circle"),
					Radius: whole.Num,
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
