package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
		cfg.RequireObject(
			"network",
			requireMembers(&network, "main.pp:30:8: network", "name", "cidr", "private"),
		)

		vpc, err := digitalocean.NewVpc(ctx, "vpc", &digitalocean.VpcArgs{
			Name:        pulumi.String(network.Name),
			IpRange:     pulumi.String(network.Cidr),
			Region:      pulumi.String(regions[0]),
			Description: pulumi.String("team " + labels["team"]),
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
