package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Network struct {
	Name    string `json:"name" pulumi:"name"`
	Cidr    string `json:"cidr" pulumi:"cidr"`
	Private bool   `json:"private" pulumi:"private"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// Settings for a small web tier, one config value per type.
		// Prefix of every name
		namePrefix, err := cfg.Try("namePrefix")
		if err != nil {
			namePrefix = "web"
		}

		replicas, err := cfg.TryInt("replicas")
		if errors.Is(err, config.ErrMissingVar) {
			replicas = 2
		} else if err != nil {
			return err
		}

		threshold, err := cfg.TryFloat64("threshold")
		if errors.Is(err, config.ErrMissingVar) {
			threshold = 82.5
		} else if err != nil {
			return err
		}

		monitoring, err := cfg.TryBool("monitoring")
		if errors.Is(err, config.ErrMissingVar) {
			monitoring = true
		} else if err != nil {
			return err
		}

		var regions []string
		if err := cfg.TryObject("regions", &regions); errors.Is(err, config.ErrMissingVar) {
			regions = []string{"nyc3", "fra1"}
		} else if err != nil {
			return err
		}

		var labels map[string]string
		if err := cfg.TryObject("labels", &labels); errors.Is(err, config.ErrMissingVar) {
			labels = map[string]string{
				"team": "platform",
				"tier": "gold",
			}
		} else if err != nil {
			return err
		}

		// The network to create
		var network Network
		cfg.RequireObject("network", &network)
		var givenNetwork map[string]any
		cfg.RequireObject("network", &givenNetwork)
		if err := requireMembers(givenNetwork, "main.pp:30:8: network", "name", "cidr", "private"); err != nil {
			return err
		}

		part, err := entryOf(labels, "team")
		if err != nil {
			return err
		}
		vpc, err := digitalocean.NewVpc(ctx, "vpc", &digitalocean.VpcArgs{
			Name:        pulumi.String(network.Name),
			IpRange:     pulumi.String(network.Cidr),
			Region:      pulumi.String(regions[0]),
			Description: pulumi.String("team " + part),
		})
		if err != nil {
			return err
		}

		web, err := digitalocean.NewDroplet(ctx, "web", &digitalocean.DropletArgs{
			Name:       pulumi.String(namePrefix + "-1"),
			Image:      pulumi.String("ubuntu-24-04-x64"),
			Size:       pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
			Region:     pulumi.String(regions[0]),
			Monitoring: pulumi.Bool(monitoring),
			VpcUuid:    vpc.ID(),
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewMonitorAlert(ctx, "cpuAlert", &digitalocean.MonitorAlertArgs{
			Type: pulumi.String("v1/insights/droplet/cpu"),
			Description: pulumi.Sprintf(
				"CPU above %s%% on %s",
				strconv.FormatFloat(threshold, 'f', -1, 64),
				namePrefix,
			),
			Compare:  pulumi.String("GreaterThan"),
			Value:    pulumi.Float64(threshold),
			Window:   pulumi.String("5m"),
			Entities: pulumi.StringArray{web.ID()},
			Alerts: &digitalocean.MonitorAlertAlertsArgs{
				Emails: pulumi.StringArray{pulumi.String("ops@example.com")},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("replicas", pulumi.Int(replicas))
		ctx.Export("isPrivate", pulumi.Bool(network.Private))
		return nil
	})
}

// entryOf returns the value of a key, which must exist.
func entryOf[T any](members map[string]T, key string) (T, error) {
	value, ok := members[key]
	if !ok {
		return value, fmt.Errorf("there is no %q in the map", key)
	}
	return value, nil
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
