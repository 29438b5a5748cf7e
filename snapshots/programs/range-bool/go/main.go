package main

import (
	"errors"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// A resource that there is or is not.
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
			made, err := probe.NewThing(ctx, "sometimes", &probe.ThingArgs{
				Label: always.Out,
			})
			if err != nil {
				return err
			}
			sometimes = made
		}

		var nameValue pulumi.Input = always.Out
		if enabled {
			var nameValue2 pulumi.Input
			if sometimes != nil {
				nameValue2 = sometimes.Out
			}
			nameValue = nameValue2
		}
		ctx.Export("name", nameValue)

		var maybeValue pulumi.Input
		if sometimes != nil {
			maybeValue = sometimes.Out
		}
		ctx.Export("maybe", maybeValue)
		return nil
	})
}
