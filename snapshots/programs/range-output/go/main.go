// Copies whose number is known only at deployment.

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
		source, err := probe.NewThing(ctx, "source", nil)
		if err != nil {
			return err
		}

		source.Names.ApplyT(func(items []string) (any, error) {
			for i, name := range items {
				_, err := probe.NewThing(ctx, fmt.Sprintf("perName-%d", i), &probe.ThingArgs{
					Label: pulumi.String(name),
				})
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		source.Tags.ApplyT(func(items map[string]string) (any, error) {
			for _, key := range slices.Sorted(maps.Keys(items)) {
				tag := items[key]
				_, err := probe.NewThing(ctx, fmt.Sprintf("perTag-%s", key), &probe.ThingArgs{
					Label: pulumi.Sprintf("%s=%s", key, tag),
				})
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		return nil
	})
}
