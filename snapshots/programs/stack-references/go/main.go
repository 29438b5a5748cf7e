// Values of other stacks.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		base, err := cfg.Try("base")
		if err != nil {
			base = "acme/network/prod"
		}

		network, err := pulumi.NewStackReference(ctx, "network", &pulumi.StackReferenceArgs{
			Name: pulumi.String(base),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: network.GetStringOutput(pulumi.String("vpcId")),
		})
		if err != nil {
			return err
		}

		ctx.Export("vpc", network.GetOutput(pulumi.String("vpcId")))
		ctx.Export(
			"address",
			pulumi.Sprintf("https://%s/", network.GetStringOutput(pulumi.String("host"))),
		)
		return nil
	})
}
