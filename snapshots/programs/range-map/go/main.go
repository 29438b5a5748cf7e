// A copy of a resource for each member of a map.

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

type Machine struct {
	Size int     `json:"size" pulumi:"size"`
	Peer *string `json:"peer" pulumi:"peer"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var machines map[string]Machine
		if err := cfg.TryObject("machines", &machines); errors.Is(err, config.ErrMissingVar) {
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
		var givenMachines map[string]map[string]any
		cfg.GetObject("machines", &givenMachines)
		for _, key := range slices.Sorted(maps.Keys(givenMachines)) {
			place := fmt.Sprintf("range-map.pp:3:8: machines.%s", key)
			if err := requireMembers(givenMachines[key], place, "size"); err != nil {
				return err
			}
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
		for name, one := range machine {
			addresses[name] = one.Out
		}
		ctx.Export("addresses", addresses)

		ctx.Export("front", machine["front"].Out)
		return nil
	})
}

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
