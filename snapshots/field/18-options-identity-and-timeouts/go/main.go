package main

import (
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		createTimeout, err := cfg.Try("createTimeout")
		if err != nil {
			createTimeout = "30m"
		}

		oldHome, err := random.NewRandomPet(ctx, "oldHome", nil)
		if err != nil {
			return err
		}

		cluster, err := digitalocean.NewDatabaseCluster(ctx, "cluster", &digitalocean.DatabaseClusterArgs{
			Engine:    pulumi.String("redis"),
			NodeCount: pulumi.Int(1),
			Region:    pulumi.String(digitalocean.RegionNYC3),
			Size:      pulumi.String(digitalocean.DatabaseSlug_DB_1VPCU1GB),
		},
			pulumi.Timeouts(&pulumi.CustomTimeouts{
				Create: createTimeout,
				Update: "1h",
				Delete: "10m",
			}),
			pulumi.AdditionalSecretOutputs([]string{"name", "tags"}),
			pulumi.Aliases([]pulumi.Alias{
				{Name: pulumi.String("redis")},
				{
					Name:   pulumi.String("cache"),
					Parent: oldHome,
				},
				{
					URN: pulumi.URN("urn:pulumi:prod::shop::digitalocean:index/databaseCluster:DatabaseCluster::kv"),
				},
			}),
		)
		if err != nil {
			return err
		}

		_, err = digitalocean.NewDomain(ctx, "existing", &digitalocean.DomainArgs{
			Name: pulumi.String("example.com"),
		}, pulumi.Import(pulumi.ID("example.com")))
		if err != nil {
			return err
		}

		golden, err := digitalocean.GetDroplet(ctx, "golden", pulumi.ID("3164494"), nil)
		if err != nil {
			return err
		}

		_, err = digitalocean.NewDatabaseReplica(
			ctx,
			"replica",
			&digitalocean.DatabaseReplicaArgs{
				ClusterId: cluster.ID(),
				Size:      pulumi.String(digitalocean.DatabaseSlug_DB_1VPCU1GB),
				Region:    pulumi.String(digitalocean.RegionNYC3),
			},
			pulumi.ReplaceOnChanges([]string{"region", "tags"}),
			pulumi.DeletedWith(cluster),
			pulumi.Aliases([]pulumi.Alias{{NoParent: pulumi.Bool(true)}}),
		)
		if err != nil {
			return err
		}

		_, err = random.NewRandomId(ctx, "moved", &random.RandomIdArgs{
			ByteLength: pulumi.Int(4),
		}, pulumi.Parent(cluster), pulumi.Aliases([]pulumi.Alias{
			{Type: pulumi.String("random:index/randomString:RandomString")},
		}))
		if err != nil {
			return err
		}

		ctx.Export("uri", cluster.PrivateUri)
		ctx.Export("goldenAddress", golden.Ipv4Address)
		return nil
	})
}
