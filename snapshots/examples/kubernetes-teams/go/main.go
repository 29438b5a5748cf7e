// A namespace for each team, with limits, rights and a fence around it.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type TeamConfig struct {
	Cpu    string   `json:"cpu" pulumi:"cpu"`
	Memory string   `json:"memory" pulumi:"memory"`
	Admins []string `json:"admins" pulumi:"admins"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The teams by name: what they may use, and who administers it.
		var teams map[string]TeamConfig
		if err := cfg.TryObject(
			"teams",
			requireMembers(&teams, "main.pp:3:8: teams", "*/cpu", "*/memory", "*/admins"),
		); errors.Is(err, config.ErrMissingVar) {
			teams = map[string]TeamConfig{
				"orders": {
					Cpu:    "4",
					Memory: "8Gi",
					Admins: []string{"ada@example.com"},
				},
				"search": {
					Cpu:    "8",
					Memory: "32Gi",
					Admins: []string{"grace@example.com", "edsger@example.com"},
				},
			}
		} else if err != nil {
			return err
		}

		// How to reach the cluster.
		kubeconfig := cfg.RequireSecret("kubeconfig")

		cluster, err := kubernetes.NewProvider(ctx, "cluster", &kubernetes.ProviderArgs{
			Kubeconfig:            kubeconfig,
			EnableServerSideApply: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		team := map[string]*Team{}
		for _, key := range slices.Sorted(maps.Keys(teams)) {
			value := teams[key]
			team2, err := NewTeam(ctx, fmt.Sprintf("team-%s", key), &TeamArgs{
				Name:   key,
				Cpu:    pulumi.String(value.Cpu),
				Memory: pulumi.String(value.Memory),
				Admins: value.Admins,
			}, pulumi.Providers(cluster))
			if err != nil {
				return err
			}
			team[key] = team2
		}

		namespaces := pulumi.Map{}
		for _, name := range slices.Sorted(maps.Keys(team)) {
			made := team[name]
			namespaces[name] = made.Namespace
		}
		ctx.Export("namespaces", namespaces)
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
