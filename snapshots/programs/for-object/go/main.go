// Objects made from collections; values grouped by key.

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
			if _, ok := tags[name]; ok {
				return fmt.Errorf("two elements have the key %q", name)
			}
			tags[name] = fmt.Sprintf("number %d", i)
		}
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Tags: pulumi.ToStringMap(tags),
		})
		if err != nil {
			return err
		}

		inverted := map[string][]string{}
		for _, person := range slices.Sorted(maps.Keys(teams)) {
			team := teams[person]
			inverted[team] = append(inverted[team], person)
		}
		ctx.Export("inverted", pulumi.ToStringArrayMap(inverted))

		filtered := map[string]map[string]any{}
		for _, person := range slices.Sorted(maps.Keys(teams)) {
			team := teams[person]
			if team != "data" {
				filtered[person] = map[string]any{
					"team": team,
					"lead": person == "ann",
				}
			}
		}
		ctx.Export("filtered", pulumi.ToMapMap(filtered))

		groupedLengths := map[string][]string{}
		for _, name := range names {
			key := strconv.Itoa(uniseg.GraphemeClusterCount(name))
			groupedLengths[key] = append(groupedLengths[key], name)
		}
		ctx.Export("groupedLengths", pulumi.ToStringArrayMap(groupedLengths))

		ctx.Export("overOutput", thing.List.ApplyT(func(list []probe.Item) (map[string]*int, error) {
			overOutput := map[string]*int{}
			for _, item := range list {
				if _, ok := overOutput[item.S]; ok {
					return nil, fmt.Errorf("two elements have the key %q", item.S)
				}
				overOutput[item.S] = item.N
			}
			return overOutput, nil
		}))
		ctx.Export("groupedOverOutput", thing.List.ApplyT(func(list []probe.Item) map[string][]*int {
			groupedOverOutput := map[string][]*int{}
			for _, item := range list {
				groupedOverOutput[item.S] = append(groupedOverOutput[item.S], item.N)
			}
			return groupedOverOutput
		}))

		outputValues := pulumi.StringMap{}
		for _, name := range names {
			if _, ok := outputValues[name]; ok {
				return fmt.Errorf("two elements have the key %q", name)
			}
			outputValues[name] = pulumi.Sprintf("%s/%s", thing.Out, name)
		}
		ctx.Export("outputValues", outputValues)
		return nil
	})
}
