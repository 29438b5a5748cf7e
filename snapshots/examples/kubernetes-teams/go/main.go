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
	Cpu    *string  `json:"cpu" pulumi:"cpu"`
	Memory *string  `json:"memory" pulumi:"memory"`
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
					Cpu:    pulumi.StringRef("4"),
					Memory: pulumi.StringRef("8Gi"),
					Admins: []string{"ada@example.com"},
				},
				"search": {
					Cpu:    pulumi.StringRef("8"),
					Memory: pulumi.StringRef("32Gi"),
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
				Cpu:    pulumi.String(*value.Cpu),
				Memory: pulumi.String(*value.Memory),
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
