package main

import (
	"errors"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-docker/sdk/v5/go/docker"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		slot, err := cfg.TryInt("slot")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
			return err
		}

		hookEvent, err := cfg.Try("hookEvent")
		if err != nil {
			hookEvent = "push"
		}

		net, err := docker.NewNetwork(ctx, "net", &docker.NetworkArgs{
			Name: pulumi.String("apps"),
			IpamConfigs: docker.NetworkIpamConfigArray{
				docker.NetworkIpamConfigArgs{
					Subnet:  pulumi.String("10.1.0.0/24"),
					Gateway: pulumi.String("10.1.0.1"),
				},
				docker.NetworkIpamConfigArgs{Subnet: pulumi.String("10.2.0.0/24")},
			},
		})
		if err != nil {
			return err
		}

		app, err := docker.NewContainer(ctx, "app", &docker.ContainerArgs{
			Image: pulumi.String("busybox"),
			Dns:   pulumi.StringArray{net.IpamConfigs.Index(pulumi.Int(0)).Gateway().Elem()},
			NetworksAdvanced: docker.ContainerNetworksAdvancedArray{
				docker.ContainerNetworksAdvancedArgs{
					Name:        net.Name,
					Ipv4Address: pulumi.String("10.1.0.7"),
				},
			},
		})
		if err != nil {
			return err
		}

		hook, err := github.NewOrganizationWebhook(ctx, "hook", &github.OrganizationWebhookArgs{
			Events: pulumi.StringArray{pulumi.String(hookEvent), pulumi.String("release")},
			Configuration: &github.OrganizationWebhookConfigurationArgs{
				Url: pulumi.Sprintf(
					"http://%s:8080/",
					app.NetworkDatas.Index(pulumi.Int(0)).IpAddress().Elem(),
				),
			},
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "note", &local.CommandArgs{
			Create: pulumi.Sprintf(
				"echo %s %s",
				hook.Events.Index(pulumi.Int(slot)),
				net.IpamConfigs.Index(pulumi.Int(slot)).Subnet().Elem(),
			),
			Environment: pulumi.StringMap{
				"OPTION": net.Options.MapIndex(pulumi.String("com.docker.network.bridge.name")),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("gateway", net.IpamConfigs.Index(pulumi.Int(1)).Gateway())
		ctx.Export("legacyIndex", hook.Events.Index(pulumi.Int(0)))
		ctx.Export("gatewayIp", app.NetworkDatas.Index(pulumi.Int(slot)).Gateway())
		ctx.Export("event", hook.Events.Index(pulumi.Int(1)))
		return nil
	})
}
