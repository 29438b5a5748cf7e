// Resources that exist already.

package main

import (
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

		ctx.Export("found", pulumi.Sprintf("%s %s", existing.Out, related.ID()))
		return nil
	})
}
