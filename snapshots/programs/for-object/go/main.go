package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/rivo/uniseg"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// Objects made from collections; values grouped by key.
		cfg := config.New(ctx, "")
		var names []string
		if err := cfg.TryObject("names", &names); errors.Is(err, config.ErrMissingVar) {
			names = []string{"ann", "ben"}
		} else if err != nil {
			return err
		}

		var teams map[string]string
		if err := cfg.TryObject("teams", &teams); errors.Is(err, config.ErrMissingVar) {
			teams = map[string]string{
				"ann":  "web",
				"ben":  "web",
				"cleo": "data",
			}
		} else if err != nil {
			return err
		}

		tags := map[string]string{}
		for i, name := range names {
			tags[name] = fmt.Sprintf("number %d", i)
		}
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Tags: pulumi.ToStringMap(tags),
		})
		if err != nil {
			return err
		}

		invertedValue := map[string][]string{}
		for _, person := range slices.Sorted(maps.Keys(teams)) {
			team := teams[person]
			invertedValue[team] = append(invertedValue[team], person)
		}
		ctx.Export("inverted", pulumi.ToStringArrayMap(invertedValue))

		filteredValue := map[string]map[string]any{}
		for _, person := range slices.Sorted(maps.Keys(teams)) {
			team := teams[person]
			if team != "data" {
				filteredValue[person] = map[string]any{
					"team": team,
					"lead": person == "ann",
				}
			}
		}
		ctx.Export("filtered", pulumi.ToMapMap(filteredValue))

		groupedLengthsValue := map[string][]string{}
		for _, name := range names {
			key := strconv.Itoa(uniseg.GraphemeClusterCount(name))
			groupedLengthsValue[key] = append(groupedLengthsValue[key], name)
		}
		ctx.Export("groupedLengths", pulumi.ToStringArrayMap(groupedLengthsValue))
		ctx.Export("overOutput", thing.List.ApplyT(func(list []probe.Item) map[string]*int {
			overOutputValue := map[string]*int{}
			for _, item2 := range list {
				overOutputValue[item2.S] = item2.N
			}
			return overOutputValue
		}).(pulumi.AnyOutput))
		ctx.Export("groupedOverOutput", thing.List.ApplyT(func(list []probe.Item) map[string][]*int {
			groupedOverOutputValue := map[string][]*int{}
			for _, item2 := range list {
				groupedOverOutputValue[item2.S] = append(groupedOverOutputValue[item2.S], item2.N)
			}
			return groupedOverOutputValue
		}).(pulumi.AnyOutput))

		outputValuesValue := pulumi.StringMap{}
		for _, name := range names {
			outputValuesValue[name] = pulumi.Sprintf("%s/%s", thing.Out, name)
		}
		ctx.Export("outputValues", outputValuesValue)
		return nil
	})
}
