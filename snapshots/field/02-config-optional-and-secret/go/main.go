package main

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Limits struct {
	Cpu    int `json:"cpu" pulumi:"cpu"`
	Memory int `json:"memory" pulumi:"memory"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// Master password
		dbPassword := cfg.RequireSecret("dbPassword")

		var rootCa *string
		if value, err := cfg.Try("rootCa"); err == nil {
			rootCa = &value
		}

		var extraTags []string
		if err := cfg.GetObject("extraTags", &extraTags); err != nil {
			return err
		}

		maintenanceDay, err := cfg.Try("maintenanceDay")
		if err != nil {
			maintenanceDay = "sunday"
		}

		var limits *Limits
		if err := cfg.GetObject("limits", &limits); err != nil {
			return err
		}
		var givenLimits map[string]any
		cfg.GetObject("limits", &givenLimits)
		if err := requireMembers(givenLimits, "main.pp:18:8: limits", "cpu", "memory"); err != nil {
			return err
		}

		var weights []*int
		if err := cfg.TryObject("weights", &weights); errors.Is(err, config.ErrMissingVar) {
			weights = []*int{pulumi.IntRef(1), nil, pulumi.IntRef(3)}
		} else if err != nil {
			return err
		}

		var apiKeysValue map[string]string
		cfg.RequireSecretObject("apiKeys", &apiKeysValue)
		apiKeys := pulumi.ToSecret(apiKeysValue).(pulumi.StringMapOutput)

		var tags pulumi.StringArrayInput
		if extraTags != nil {
			tags = pulumi.ToStringArray(extraTags)
		}
		cluster, err := digitalocean.NewDatabaseCluster(ctx, "cluster", &digitalocean.DatabaseClusterArgs{
			Engine:    pulumi.String("pg"),
			Version:   pulumi.String("16"),
			NodeCount: pulumi.Int(1),
			Size:      pulumi.String(digitalocean.DatabaseSlug_DB_1VPCU1GB),
			Region:    pulumi.String(digitalocean.RegionNYC3),
			Tags:      tags,
			MaintenanceWindows: digitalocean.DatabaseClusterMaintenanceWindowArray{
				digitalocean.DatabaseClusterMaintenanceWindowArgs{
					Day:  pulumi.String(maintenanceDay),
					Hour: pulumi.String("02:00:00"),
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "seed", &local.CommandArgs{
			Create: pulumi.String("psql -f seed.sql"),
			Environment: pulumi.StringMap{
				"PGPASSWORD": dbPassword,
				"PGHOST":     cluster.Host,
				"API_KEY":    apiKeys.MapIndex(pulumi.String("main")),
			},
		})
		if err != nil {
			return err
		}

		hasCa := "yes"
		if rootCa == nil {
			hasCa = "no"
		}
		ctx.Export("hasCa", pulumi.String(hasCa))

		ctx.Export("weightCount", pulumi.Int(len(weights)))
		ctx.Export("hasLimits", pulumi.Bool(limits != nil))
		ctx.Export("uri", cluster.Uri)
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
