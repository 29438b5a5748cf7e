package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		pulumiConfig, err := cfg.Try("pulumi")
		if err != nil {
			pulumiConfig = "p"
		}

		randomPet, err := random.NewRandomPet(ctx, "random", &random.RandomPetArgs{
			Prefix: pulumi.String(pulumiConfig),
		})
		if err != nil {
			return err
		}

		digitaloceanTag, err := digitalocean.NewTag(ctx, "digitalocean", &digitalocean.TagArgs{
			Name: randomPet.ID(),
		})
		if err != nil {
			return err
		}

		webServer1, err := digitalocean.NewDroplet(ctx, "web-server-1", &digitalocean.DropletArgs{
			Image:  pulumi.String("ubuntu-24-04-x64"),
			Size:   pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
			Region: pulumi.String(digitalocean.RegionNYC3),
			Tags:   pulumi.StringArray{digitaloceanTag.ID()},
		})
		if err != nil {
			return err
		}

		command, err := local.NewCommand(ctx, "command", &local.CommandArgs{
			Create: pulumi.Sprintf("ping -c1 %s", webServer1.Ipv4Address),
		})
		if err != nil {
			return err
		}

		json, err := local.NewCommand(ctx, "json", &local.CommandArgs{
			Create: pulumi.JSONMarshal(map[string]any{"host": webServer1.Name}),
		})
		if err != nil {
			return err
		}

		id, err := random.NewRandomId(ctx, "id", &random.RandomIdArgs{
			ByteLength: pulumi.Int(4),
		})
		if err != nil {
			return err
		}

		urn, err := random.NewRandomId(ctx, "urn", &random.RandomIdArgs{
			ByteLength: pulumi.Int(4),
		})
		if err != nil {
			return err
		}

		ctxRandomUuid, err := random.NewRandomUuid(ctx, "the ctx/uuid", &random.RandomUuidArgs{
			Keepers: pulumi.StringMap{"id": id.Hex},
		})
		if err != nil {
			return err
		}

		configRandomUuid, err := random.NewRandomUuid(ctx, "config", nil)
		if err != nil {
			return err
		}

		rangeSize := 3

		os, err := tls.NewPrivateKey(ctx, "os", &tls.PrivateKeyArgs{
			Algorithm: pulumi.String("ED25519"),
		})
		if err != nil {
			return err
		}

		ctx.Export("web-ip", webServer1.Ipv4Address)
		ctx.Export("std", command.Stdout)
		ctx.Export("exports", pulumi.Array{
			ctxRandomUuid.Result,
			configRandomUuid.Result,
			urn.Hex,
			pulumi.Int(rangeSize),
			json.Stdout,
			os.PublicKeyPem,
		})
		return nil
	})
}
