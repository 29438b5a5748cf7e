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
	Size *int    `json:"size" pulumi:"size"`
	Peer *string `json:"peer" pulumi:"peer"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// A copy of a resource for each member of a map.
		cfg := config.New(ctx, "")
		var machines map[string]Machine
		if err := cfg.TryObject("machines", &machines); errors.Is(err, config.ErrMissingVar) {
			machines = map[string]Machine{
				"front": Machine{Size: pulumi.IntRef(2)},
				"back": Machine{
					Size: pulumi.IntRef(4),
					Peer: pulumi.StringRef("front"),
				},
			}
		} else if err != nil {
			return err
		}

		machine := map[string]*probe.Thing{}
		for _, key := range slices.Sorted(maps.Keys(machines)) {
			machine2 := machines[key]
			item2, err := probe.NewThing(ctx, fmt.Sprintf("machine-%s", key), &probe.ThingArgs{
				Label: pulumi.String(key + "-machine"),
				Size:  pulumi.IntPtrFromPtr(machine2.Size),
				Maybe: pulumi.StringPtrFromPtr(machine2.Peer),
			})
			if err != nil {
				return err
			}
			machine[key] = item2
		}

		addressesValue := pulumi.StringMap{}
		for _, name := range slices.Sorted(maps.Keys(machine)) {
			one := machine[name]
			addressesValue[name] = one.Out
		}
		ctx.Export("addresses", addressesValue)
		ctx.Export("front", machine["front"].Out)
		return nil
	})
}
