// `[*]` and `.*` over plain lists, outputs and resources.

package main

import (
	"errors"
	"fmt"

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
		if err := cfg.TryObject("servers", &servers); errors.Is(err, config.ErrMissingVar) {
			servers = []Server{
				{
					Name:  "a",
					Ports: []int{80},
				},
			}
		} else if err != nil {
			return err
		}
		var givenServers []map[string]any
		cfg.GetObject("servers", &givenServers)
		for index, server := range givenServers {
			place := fmt.Sprintf("splats.pp:3:8: servers[%d]", index)
			if err := requireMembers(server, place, "name", "ports"); err != nil {
				return err
			}
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

		plainNames := make([]string, 0, len(servers))
		for _, server := range servers {
			plainNames = append(plainNames, server.Name)
		}
		ctx.Export("plainNames", pulumi.ToStringArray(plainNames))

		plainPorts := make([]int, 0, len(servers))
		for _, server := range servers {
			plainPorts = append(plainPorts, server.Ports[0])
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
