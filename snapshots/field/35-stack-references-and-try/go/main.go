package main

import (
	"encoding/json"
	"errors"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		networkStack, err := cfg.Try("networkStack")
		if err != nil {
			networkStack = "acme/network/prod"
		}

		var overrides any = map[string]any{}
		if text, err := cfg.Try("overrides"); err == nil && json.Unmarshal([]byte(text), &overrides) != nil {
			overrides = text
		}

		var settings map[string]string
		if err := cfg.TryObject("settings", &settings); errors.Is(err, config.ErrMissingVar) {
			settings = map[string]string{}
		} else if err != nil {
			return err
		}

		network, err := pulumi.NewStackReference(ctx, "network", &pulumi.StackReferenceArgs{
			Name: pulumi.String(networkStack),
		})
		if err != nil {
			return err
		}

		vpcId := network.GetStringOutput(pulumi.String("vpcId"))

		size, err := firstOf(
			func() (string, error) { return entryOf(settings, "size") },
			func() (string, error) { return "s-1vcpu-1gb", nil },
		)
		if err != nil {
			return err
		}
		droplet, err := digitalocean.NewDroplet(ctx, "droplet", &digitalocean.DropletArgs{
			Image:   pulumi.String("ubuntu-24-04-x64"),
			Size:    pulumi.String(size),
			Region:  pulumi.String(digitalocean.RegionNYC3),
			VpcUuid: vpcId,
		})
		if err != nil {
			return err
		}

		ctx.Export("subnet", network.GetOutput(pulumi.String("subnets")))
		ctx.Export("token", pulumi.Unsecret(network.GetOutput(pulumi.String("token"))))

		_, hasSizeErr := attempt(func() (string, error) { return entryOf(settings, "size") })
		ctx.Export("hasSize", pulumi.Bool(hasSizeErr == nil))

		deep, err := firstOf(
			func() (any, error) { return traverse(overrides, "a", "b") },
			func() (any, error) { return traverse(overrides, "c") },
			func() (any, error) { return "none", nil },
		)
		if err != nil {
			return err
		}
		ctx.Export("deep", pulumi.Any(deep))

		ctx.Export("recovered", recoverOutput(ctx, droplet.Ipv4Address, func(failure string) pulumi.Output {
			return pulumi.String("failed: " + failure).ToStringOutput()
		}).ApplyT(func(v any) string { return v.(string) }))
		ctx.Export("tryOutput", droplet.Tags.ApplyT(func(tags []string) (*string, error) {
			return firstOf(
				func() (*string, error) {
					tryOutput, err := itemAt(tags, 0)
					if err != nil {
						return nil, err
					}
					return pulumi.StringRef(tryOutput), nil
				},
				func() (*string, error) { return pulumi.StringRef("untagged"), nil },
			)
		}))
		return nil
	})
}
