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
		// Lists made from collections.
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
		literalValue := []int{}
		for _, n := range items {
			if n > 1 {
				literalValue = append(literalValue, n*2)
			}
		}
		ctx.Export("literal", pulumi.ToIntArray(literalValue))

		overMapValue := make([]string, 0, len(sizes))
		for _, key := range slices.Sorted(maps.Keys(sizes)) {
			size := sizes[key]
			overMapValue = append(overMapValue, fmt.Sprintf("%s=%d", key, size))
		}
		ctx.Export("overMap", pulumi.ToStringArray(overMapValue))

		overMapValuesValue := make([]int, 0, len(sizes))
		for _, key := range slices.Sorted(maps.Keys(sizes)) {
			size := sizes[key]
			overMapValuesValue = append(overMapValuesValue, size+1)
		}
		ctx.Export("overMapValues", pulumi.ToIntArray(overMapValuesValue))

		nestedValue := make([][]string, 0, len(names))
		for _, name := range names {
			item2 := []string{}
			for _, key := range slices.Sorted(maps.Keys(sizes)) {
				size := sizes[key]
				if size > 1 {
					item2 = append(item2, fmt.Sprintf("%s-%s", name, key))
				}
			}
			nestedValue = append(nestedValue, item2)
		}
		ctx.Export("nested", pulumi.ToStringArrayArray(nestedValue))
		ctx.Export("overOutput", thing.List.ApplyT(func(list2 []probe.Item) []string {
			overOutputValue := []string{}
			for _, item2 := range list2 {
				if item2.S != "root" {
					overOutputValue = append(overOutputValue, item2.S)
				}
			}
			return overOutputValue
		}).(pulumi.StringArrayOutput))

		outputInsideValue := make(pulumi.StringArray, 0, len(names))
		for _, name := range names {
			outputInsideValue = append(outputInsideValue, pulumi.Sprintf("%s: %s", name, thing.Out))
		}
		ctx.Export("outputInside", outputInsideValue)
		ctx.Export("outputCondition", thing.Out.ApplyT(func(out string) []string {
			outputConditionValue := []string{}
			for _, name := range names {
				if name != out {
					outputConditionValue = append(outputConditionValue, name)
				}
			}
			return outputConditionValue
		}).(pulumi.StringArrayOutput))
		return nil
	})
}
