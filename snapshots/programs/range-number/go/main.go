// So many copies of a resource.

package main

import (
	"errors"
	"fmt"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		count, err := cfg.TryInt("count")
		if errors.Is(err, config.ErrMissingVar) {
			count = 2
		} else if err != nil {
			return err
		}

		var fixed []*probe.Thing
		for i := range 3 {
			thing, err := probe.NewThing(ctx, fmt.Sprintf("fixed-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("fixed-%d", i),
			})
			if err != nil {
				return err
			}
			fixed = append(fixed, thing)
		}

		var counted []*probe.Thing
		for i := range count {
			thing, err := probe.NewThing(ctx, fmt.Sprintf("counted-%d", i), &probe.ThingArgs{
				Label: fixed[i].Out,
				Size:  pulumi.Int(i + 1),
			}, pulumi.DependsOn([]pulumi.Resource{fixed[0]}))
			if err != nil {
				return err
			}
			counted = append(counted, thing)
		}

		ctx.Export("first", fixed[0].Out)

		all := make(pulumi.StringArray, 0, len(counted))
		for _, thing := range counted {
			all = append(all, thing.Out)
		}
		ctx.Export("all", all)

		ctx.Export("howMany", pulumi.Int(len(counted)))
		return nil
	})
}
