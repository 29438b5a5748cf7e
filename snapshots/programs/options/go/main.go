// Every option of a resource.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		base, err := probe.NewThing(ctx, "base", nil)
		if err != nil {
			return err
		}

		special, err := probe.NewProvider(ctx, "special", &probe.ProviderArgs{
			Region: pulumi.String("north"),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "full-name", &probe.ThingArgs{
			Label: pulumi.String("all options"),
		},
			pulumi.Parent(base),
			pulumi.Provider(special),
			pulumi.DependsOn([]pulumi.Resource{base}),
			pulumi.Protect(true),
			pulumi.RetainOnDelete(true),
			pulumi.DeleteBeforeReplace(true),
			pulumi.IgnoreChanges([]string{"label", "obj.s", "tags[\"a.b\"]", "list[0].n"}),
			pulumi.ReplaceOnChanges([]string{"size"}),
			pulumi.HideDiffs([]string{"names"}),
			pulumi.AdditionalSecretOutputs([]string{"out"}),
			pulumi.Version("1.0.0"),
			pulumi.PluginDownloadURL("https://example.com/plugins"),
			pulumi.Import(pulumi.ID("an-id")),
			pulumi.DeletedWith(base),
			pulumi.ReplaceWith([]pulumi.Resource{base}),
			pulumi.ReplacementTrigger(base.Out),
			pulumi.Timeouts(&pulumi.CustomTimeouts{
				Create: "5m",
				Delete: "1h",
			}),
			pulumi.Aliases([]pulumi.Alias{
				{URN: pulumi.URN("urn:pulumi:dev::project::probe:index:Thing::old")},
				{Name: pulumi.String("former")},
				{
					Name:     pulumi.String("moved"),
					NoParent: pulumi.Bool(true),
				},
			}),
		)
		if err != nil {
			return err
		}
		return nil
	})
}
