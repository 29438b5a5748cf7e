// Providers of one's own.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		region, err := cfg.Try("region")
		if err != nil {
			region = "south"
		}

		regional, err := probe.NewProvider(ctx, "regional", &probe.ProviderArgs{
			Region: pulumi.String(region),
		}, pulumi.EnvVarMappings(map[string]string{"PROBE_TOKEN": "SOUTH_TOKEN"}))
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.String("in " + region),
		}, pulumi.Provider(regional))
		if err != nil {
			return err
		}

		group, err := probe.NewGroup(ctx, "group", &probe.GroupArgs{
			Size: pulumi.IntRef(2),
		}, pulumi.ProviderMap(map[string]pulumi.ProviderResource{"probe": regional}))
		if err != nil {
			return err
		}

		ctx.Export("asked", probe.LookupThingOutput(ctx, probe.LookupThingOutputArgs{
			Name: pulumi.String("a"),
		}, pulumi.Provider(regional)).Result())
		ctx.Export("inner", group.Thing.ApplyT(func(thing *probe.Thing) pulumi.StringOutput {
			return thing.Out
		}))
		return nil
	})
}
