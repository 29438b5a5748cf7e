// Values from a fixed list, given as text and as something computed.

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

		mode, err := cfg.Try("mode")
		if err != nil {
			mode = "slow"
		}

		quick, err := cfg.TryBool("quick")
		if errors.Is(err, config.ErrMissingVar) {
			quick = true
		} else if err != nil {
			return err
		}

		literal, err := probe.NewThing(ctx, "literal", &probe.ThingArgs{
			En:      probe.ModeFast,
			Relaxed: pulumi.String(probe.ModeSlow),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "open", &probe.ThingArgs{
			Relaxed: pulumi.String("something else"),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "computed", &probe.ThingArgs{
			En:      probe.Mode(mode),
			Relaxed: pulumi.String(mode),
		})
		if err != nil {
			return err
		}

		var en probe.ModePtrInput = probe.ModeSlow
		if quick {
			en = probe.ModeFast
		}
		_, err = probe.NewThing(ctx, "chosen", &probe.ThingArgs{
			En: en,
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "passed", &probe.ThingArgs{
			En: literal.En,
		})
		if err != nil {
			return err
		}

		ctx.Export("same", literal.En.ApplyT(func(value *probe.Mode) bool {
			return value != nil && *value == "fast"
		}))
		return nil
	})
}
