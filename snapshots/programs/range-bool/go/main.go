// A resource that there is or is not.

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

		enabled, err := cfg.TryBool("enabled")
		if errors.Is(err, config.ErrMissingVar) {
			enabled = true
		} else if err != nil {
			return err
		}

		always, err := probe.NewThing(ctx, "always", nil)
		if err != nil {
			return err
		}

		var sometimes *probe.Thing
		if enabled {
			thing, err := probe.NewThing(ctx, "sometimes", &probe.ThingArgs{
				Label: always.Out,
			})
			if err != nil {
				return err
			}
			sometimes = thing
		}

		var name pulumi.Input = always.Out
		if enabled {
			var name2 pulumi.Input
			if sometimes != nil {
				name2 = sometimes.Out
			}
			name = name2
		}
		ctx.Export("name", name)

		var maybe pulumi.Input
		if sometimes != nil {
			maybe = sometimes.Out
		}
		ctx.Export("maybe", maybe)
		return nil
	})
}
