// A copy of a resource for each member of a map.

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

type Machine struct {
	Size int     `json:"size" pulumi:"size"`
	Peer *string `json:"peer" pulumi:"peer"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var machines map[string]Machine
		if err := cfg.TryObject(
			"machines",
			requireMembers(&machines, "range-map.pp:3:8: machines", "*/size"),
		); errors.Is(err, config.ErrMissingVar) {
			machines = map[string]Machine{
				"front": {Size: 2},
				"back": {
					Size: 4,
					Peer: pulumi.StringRef("front"),
				},
			}
		} else if err != nil {
			return err
		}

		machine := map[string]*probe.Thing{}
		for _, key := range slices.Sorted(maps.Keys(machines)) {
			value := machines[key]
			thing, err := probe.NewThing(ctx, fmt.Sprintf("machine-%s", key), &probe.ThingArgs{
				Label: pulumi.String(key + "-machine"),
				Size:  pulumi.Int(value.Size),
				Maybe: pulumi.StringPtrFromPtr(value.Peer),
			})
			if err != nil {
				return err
			}
			machine[key] = thing
		}

		addresses := pulumi.StringMap{}
		for _, name := range slices.Sorted(maps.Keys(machine)) {
			one := machine[name]
			addresses[name] = one.Out
		}
		ctx.Export("addresses", addresses)
		ctx.Export("front", machine["front"].Out)
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
