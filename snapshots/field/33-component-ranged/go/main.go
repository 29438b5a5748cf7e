package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		if err := cfg.TryObject(
			"teams",
			requireMembers(&teams, "main.pp:1:8: teams", "*/description", "*/members"),
		); errors.Is(err, config.ErrMissingVar) {
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
