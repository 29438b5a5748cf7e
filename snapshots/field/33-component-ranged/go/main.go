package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type TeamConfig struct {
	Description string   `json:"description" pulumi:"description"`
	Members     []string `json:"members" pulumi:"members"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var teams map[string]TeamConfig
		if err := cfg.TryObject("teams", &teams); errors.Is(err, config.ErrMissingVar) {
			teams = map[string]TeamConfig{
				"core": {
					Description: "Core team",
					Members:     []string{"ann", "ben"},
				},
				"docs": {
					Description: "Docs team",
					Members:     []string{"cleo"},
				},
			}
		} else if err != nil {
			return err
		}
		var givenTeams map[string]map[string]any
		cfg.GetObject("teams", &givenTeams)
		for _, key := range slices.Sorted(maps.Keys(givenTeams)) {
			place := fmt.Sprintf("main.pp:1:8: teams.%s", key)
			if err := requireMembers(givenTeams[key], place, "description", "members"); err != nil {
				return err
			}
		}

		team := map[string]*Team{}
		for _, key := range slices.Sorted(maps.Keys(teams)) {
			value := teams[key]
			team2, err := NewTeam(ctx, fmt.Sprintf("team-%s", key), &TeamArgs{
				Name:        pulumi.String(key),
				Description: pulumi.String(value.Description),
				Members:     value.Members,
			})
			if err != nil {
				return err
			}
			team[key] = team2
		}

		var sandbox []*Team
		for i := range 2 {
			team2, err := NewTeam(ctx, fmt.Sprintf("sandbox-%d", i), &TeamArgs{
				Name:        pulumi.Sprintf("sandbox-%d", i),
				Description: pulumi.String("Playground"),
				Members:     []string{},
			})
			if err != nil {
				return err
			}
			sandbox = append(sandbox, team2)
		}

		ctx.Export("coreSlug", team["core"].Slug)
		ctx.Export("firstSandbox", sandbox[0].Slug)
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
