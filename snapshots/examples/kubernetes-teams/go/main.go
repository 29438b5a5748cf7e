// A namespace for each team, with limits, rights and a fence around it.

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
		if err := cfg.TryObject("teams", &teams); errors.Is(err, config.ErrMissingVar) {
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
		var givenTeams map[string]map[string]any
		cfg.GetObject("teams", &givenTeams)
		for _, key := range slices.Sorted(maps.Keys(givenTeams)) {
			place := fmt.Sprintf("main.pp:3:8: teams.%s", key)
			if err := requireMembers(givenTeams[key], place, "cpu", "memory", "admins"); err != nil {
				return err
			}
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
		for name, made := range team {
			namespaces[name] = made.Namespace
		}
		ctx.Export("namespaces", namespaces)
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
