// Resources that exist already.

package main

import (
	"fmt"
	"maps"
	"slices"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		fresh, err := probe.NewThing(ctx, "fresh", nil)
		if err != nil {
			return err
		}

		existing, err := probe.GetThing(ctx, "existing", pulumi.ID("thing-1"), nil)
		if err != nil {
			return err
		}

		related, err := probe.GetThing(ctx, "related", fresh.ID(), &probe.ThingState{
			Out: pulumi.String("known"),
		}, pulumi.Parent(fresh))
		if err != nil {
			return err
		}

		// What is read can be the element of a range, and nothing else be said of it.
		items := map[string]string{
			"first":  "thing-2",
			"second": "thing-3",
		}
		for _, key := range slices.Sorted(maps.Keys(items)) {
			value := items[key]
			_, err = probe.GetThing(ctx, fmt.Sprintf("several-%s", key), pulumi.ID(value), nil)
			if err != nil {
				return err
			}
		}

		items2 := []string{"thing-4", "thing-5"}
		for i, value := range items2 {
			_, err = probe.GetThing(ctx, fmt.Sprintf("counted-%d", i), pulumi.ID(value), nil)
			if err != nil {
				return err
			}
		}

		ctx.Export("found", pulumi.Sprintf("%s %s", existing.Out, related.ID()))
		return nil
	})
}
