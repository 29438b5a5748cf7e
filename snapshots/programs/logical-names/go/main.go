// Names that the engine sees, where they differ from those in the program.

package main

import (
	"fmt"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		region, err := cfg.Try("cloud-region")
		if err != nil {
			region = "north"
		}

		thing, err := probe.NewThing(ctx, "the thing", &probe.ThingArgs{
			Label: pulumi.String(region),
		})
		if err != nil {
			return err
		}

		items := []string{"a", "b"}
		for i, value := range items {
			_, err = probe.NewThing(ctx, fmt.Sprintf("copy-%d", i), &probe.ThingArgs{
				Label: pulumi.String(value),
			})
			if err != nil {
				return err
			}
		}

		ctx.Export("some.output", thing.Out)
		return nil
	})
}
