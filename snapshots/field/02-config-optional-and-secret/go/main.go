package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		if err := cfg.GetObject(
			"limits",
			requireMembers(&limits, "main.pp:18:8: limits", "cpu", "memory"),
		); err != nil {
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

// memberCheck looks at what it reads before Target gets it.
type memberCheck struct {
	Target any
	Name   string
	Paths  []string
}

// UnmarshalJSON fails when a member is not set.
func (c *memberCheck) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	for _, path := range c.Paths {
		if err := c.look(value, c.Name, strings.Split(path, "/")); err != nil {
			return err
		}
	}
	return json.Unmarshal(data, c.Target)
}

func (c *memberCheck) look(value any, place string, path []string) error {
	switch held := value.(type) {
	case []any:
		for index, item := range held {
			if err := c.look(item, fmt.Sprintf("%s[%d]", place, index), path[1:]); err != nil {
				return err
			}
		}
	case map[string]any:
		if path[0] == "*" {
			for _, key := range slices.Sorted(maps.Keys(held)) {
				if err := c.look(held[key], place+"."+key, path[1:]); err != nil {
					return err
				}
			}
			return nil
		}
		name := strings.ReplaceAll(path[0], "~1", "/")
		if len(path) > 1 {
			return c.look(held[name], place+"."+name, path[1:])
		}
		if held[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}

// requireMembers is a place for a configured value, whose members at the paths have to be set; * stands for each element.
func requireMembers(target any, name string, paths ...string) *memberCheck {
	return &memberCheck{Target: target, Name: name, Paths: paths}
}
