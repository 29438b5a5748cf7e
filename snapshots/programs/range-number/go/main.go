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
		// So many copies of a resource.
		cfg := config.New(ctx, "")
		count, err := cfg.TryInt("count")
		if errors.Is(err, config.ErrMissingVar) {
			count = 2
		} else if err != nil {
			return err
		}

		var fixed []*probe.Thing
		for i := range 3 {
			item2, err := probe.NewThing(ctx, fmt.Sprintf("fixed-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("fixed-%d", i),
			})
			if err != nil {
				return err
			}
			fixed = append(fixed, item2)
		}

		var counted []*probe.Thing
		for i := range count {
			item2, err := probe.NewThing(ctx, fmt.Sprintf("counted-%d", i), &probe.ThingArgs{
				Label: fixed[i].Out,
				Size:  pulumi.Int(i + 1),
			}, pulumi.DependsOn([]pulumi.Resource{fixed[0]}))
			if err != nil {
				return err
			}
			counted = append(counted, item2)
		}

		ctx.Export("first", fixed[0].Out)

		allValue := make(pulumi.StringArray, 0, len(counted))
		for _, item2 := range counted {
			allValue = append(allValue, item2.Out)
		}
		ctx.Export("all", allValue)
		ctx.Export("howMany", pulumi.Int(len(counted)))
		return nil
	})
}
