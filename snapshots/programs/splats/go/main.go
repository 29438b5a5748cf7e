// `[*]` and `.*` over plain lists, outputs and resources.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Server struct {
	Name  string `json:"name" pulumi:"name"`
	Ports []int  `json:"ports" pulumi:"ports"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var servers []Server
		if err := cfg.TryObject(
			"servers",
			requireMembers(&servers, "splats.pp:3:8: servers", "*/name", "*/ports"),
		); errors.Is(err, config.ErrMissingVar) {
			servers = []Server{
				{
					Name:  "a",
					Ports: []int{80},
				},
			}
		} else if err != nil {
			return err
		}

		thing, err := probe.NewThing(ctx, "thing", nil)
		if err != nil {
			return err
		}

		var many []*probe.Thing
		for i := range 2 {
			thing2, err := probe.NewThing(ctx, fmt.Sprintf("many-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("many %d", i),
			})
			if err != nil {
				return err
			}
			many = append(many, thing2)
		}

		plainNames := make([]string, 0, len(servers))
		for _, item := range servers {
			plainNames = append(plainNames, item.Name)
		}
		ctx.Export("plainNames", pulumi.ToStringArray(plainNames))

		plainPorts := make([]int, 0, len(servers))
		for _, item := range servers {
			plainPorts = append(plainPorts, item.Ports[0])
		}
		ctx.Export("plainPorts", pulumi.ToIntArray(plainPorts))
		ctx.Export("eventual", thing.List.ApplyT(func(list []probe.Item) []string {
			eventual := make([]string, 0, len(list))
			for _, item := range list {
				eventual = append(eventual, item.S)
			}
			return eventual
		}))

		attributeSplat := make(pulumi.StringArray, 0, len(many))
		for _, item := range many {
			attributeSplat = append(attributeSplat, item.Out)
		}
		ctx.Export("attributeSplat", attributeSplat)

		nested := make(pulumi.StringArrayArray, 0, len(many))
		for _, item := range many {
			nested = append(nested, item.List.ApplyT(func(list []probe.Item) []string {
				item2 := make([]string, 0, len(list))
				for _, value := range list {
					item2 = append(item2, value.S)
				}
				return item2
			}).(pulumi.StringArrayOutput))
		}
		ctx.Export("nested", nested)

		names := make(pulumi.StringArray, 0, len(many))
		for _, item := range many {
			names = append(names, item.Out)
		}
		_, err = probe.NewThing(ctx, "last", &probe.ThingArgs{
			Names: names,
		})
		if err != nil {
			return err
		}
		return nil
	})
}

// memberCheck looks at what it reads before Target gets it.
type memberCheck struct {
	Target any
	Name   string
	Paths  []string
}

// UnmarshalJSON fails when a member is not set.
func (c *memberCheck) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	for _, path := range c.Paths {
		if err := c.look(value, c.Name, strings.Split(path, "/")); err != nil {
			return err
		}
	}
	return json.Unmarshal(data, c.Target)
}

func (c *memberCheck) look(value any, place string, path []string) error {
	switch held := value.(type) {
	case []any:
		for index, item := range held {
			if err := c.look(item, fmt.Sprintf("%s[%d]", place, index), path[1:]); err != nil {
				return err
			}
		}
	case map[string]any:
		if path[0] == "*" {
			for _, key := range slices.Sorted(maps.Keys(held)) {
				if err := c.look(held[key], place+"."+key, path[1:]); err != nil {
					return err
				}
			}
			return nil
		}
		name := strings.ReplaceAll(path[0], "~1", "/")
		if len(path) > 1 {
			return c.look(held[name], place+"."+name, path[1:])
		}
		if held[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}

// requireMembers is a place for a configured value, whose members at the paths have to be set; * stands for each element.
func requireMembers(target any, name string, paths ...string) *memberCheck {
	return &memberCheck{Target: target, Name: name, Paths: paths}
}
