package main

import (
	"errors"
	"fmt"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Server struct {
	Name  *string `json:"name" pulumi:"name"`
	Ports []int   `json:"ports" pulumi:"ports"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// `[*]` and `.*` over plain lists, outputs and resources.
		cfg := config.New(ctx, "")
		var servers []Server
		if err := cfg.TryObject("servers", &servers); errors.Is(err, config.ErrMissingVar) {
			servers = []Server{
				Server{
					Name:  pulumi.StringRef("a"),
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
			item2, err := probe.NewThing(ctx, fmt.Sprintf("many-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("many %d", i),
			})
			if err != nil {
				return err
			}
			many = append(many, item2)
		}

		plainNamesValue := make([]*string, 0, len(servers))
		for _, item2 := range servers {
			plainNamesValue = append(plainNamesValue, item2.Name)
		}
		ctx.Export("plainNames", pulumi.Any(plainNamesValue))

		plainPortsValue := make([]*int, 0, len(servers))
		for _, item2 := range servers {
			plainPortsValue = append(plainPortsValue, pulumi.IntRef(item2.Ports[0]))
		}
		ctx.Export("plainPorts", pulumi.Any(plainPortsValue))
		ctx.Export("eventual", thing.List.ApplyT(func(list []probe.Item) []string {
			eventualValue := make([]string, 0, len(list))
			for _, item2 := range list {
				eventualValue = append(eventualValue, item2.S)
			}
			return eventualValue
		}).(pulumi.StringArrayOutput))

		attributeSplatValue := make(pulumi.StringArray, 0, len(many))
		for _, item2 := range many {
			attributeSplatValue = append(attributeSplatValue, item2.Out)
		}
		ctx.Export("attributeSplat", attributeSplatValue)

		nestedValue := make(pulumi.StringArrayArray, 0, len(many))
		for _, item2 := range many {
			nestedValue = append(nestedValue, item2.List.ApplyT(func(list []probe.Item) []string {
				item3 := make([]string, 0, len(list))
				for _, item4 := range list {
					item3 = append(item3, item4.S)
				}
				return item3
			}).(pulumi.StringArrayOutput))
		}
		ctx.Export("nested", nestedValue)

		names := make(pulumi.StringArray, 0, len(many))
		for _, item2 := range many {
			names = append(names, item2.Out)
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
