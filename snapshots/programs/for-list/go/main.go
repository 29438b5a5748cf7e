// Lists made from collections.

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var names []string
		if err := cfg.TryObject("names", &names); errors.Is(err, config.ErrMissingVar) {
			names = []string{"ann", "ben"}
		} else if err != nil {
			return err
		}

		var sizes map[string]int
		if err := cfg.TryObject("sizes", &sizes); errors.Is(err, config.ErrMissingVar) {
			sizes = map[string]int{
				"small": 1,
				"large": 10,
			}
		} else if err != nil {
			return err
		}

		names2 := make([]string, 0, len(names))
		for _, name := range names {
			names2 = append(names2, "user-"+name)
		}
		list := probe.ItemArray{}
		for i, name := range names {
			if name != "root" {
				list = append(list, probe.ItemArgs{
					S: pulumi.String(name),
					N: pulumi.Int(i),
				})
			}
		}
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Names: pulumi.ToStringArray(names2),
			List:  list,
		})
		if err != nil {
			return err
		}

		items := []int{1, 2, 3}
		literal := []int{}
		for _, n := range items {
			if n > 1 {
				literal = append(literal, n*2)
			}
		}
		ctx.Export("literal", pulumi.ToIntArray(literal))

		overMap := make([]string, 0, len(sizes))
		for _, key := range slices.Sorted(maps.Keys(sizes)) {
			size := sizes[key]
			overMap = append(overMap, fmt.Sprintf("%s=%d", key, size))
		}
		ctx.Export("overMap", pulumi.ToStringArray(overMap))

		overMapValues := make([]int, 0, len(sizes))
		for _, key := range slices.Sorted(maps.Keys(sizes)) {
			size := sizes[key]
			overMapValues = append(overMapValues, size+1)
		}
		ctx.Export("overMapValues", pulumi.ToIntArray(overMapValues))

		nested := make([][]string, 0, len(names))
		for _, name := range names {
			item := []string{}
			for _, key := range slices.Sorted(maps.Keys(sizes)) {
				size := sizes[key]
				if size > 1 {
					item = append(item, fmt.Sprintf("%s-%s", name, key))
				}
			}
			nested = append(nested, item)
		}
		ctx.Export("nested", pulumi.ToStringArrayArray(nested))

		ctx.Export("overOutput", thing.List.ApplyT(func(value []probe.Item) []string {
			overOutput := []string{}
			for _, item := range value {
				if item.S != "root" {
					overOutput = append(overOutput, item.S)
				}
			}
			return overOutput
		}))

		outputInside := make(pulumi.StringArray, 0, len(names))
		for _, name := range names {
			outputInside = append(outputInside, pulumi.Sprintf("%s: %s", name, thing.Out))
		}
		ctx.Export("outputInside", outputInside)

		ctx.Export("outputCondition", thing.Out.ApplyT(func(out string) []string {
			outputCondition := []string{}
			for _, name := range names {
				if name != out {
					outputCondition = append(outputCondition, name)
				}
			}
			return outputCondition
		}))
		return nil
	})
}
