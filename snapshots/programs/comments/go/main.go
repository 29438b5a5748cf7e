// The first lines of the file say what it is for.
// There are two of them.

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

		// Above a setting,
		// twice.
		// beside its head
		// above its default
		// beside its default
		size, err := cfg.TryInt("size")
		if errors.Is(err, config.ErrMissingVar) {
			size = 1
		} else if err != nil {
			return err
		}

		// A block comment
		// over two lines.
		// beside a local
		prefix := "a"

		// Set apart: belongs to nothing below.

		// Above a resource.
		// Before the options.
		// beside an option
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			// Above an input.
			// beside an input
			Label: pulumi.String(prefix),
			// before a list
			Names: pulumi.StringArray{
				// above an element
				// beside an element
				pulumi.String("first"),
				pulumi.String("second"),
				// after the last element
			},
			Obj: &probe.ItemArgs{
				// beside a member
				S: pulumi.String("x"),
				// above another member
				N: pulumi.Int(size),
			},
			// At the end of the block.
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		// Above an output.
		// */ """ not to be trusted
		ctx.Export("result", thing.Out)

		// The last line.
		return nil
	})
}
