// A component used plainly, for each member of a map, and so many times.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Team struct {
	Size int `json:"size" pulumi:"size"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var teams map[string]Team
		if err := cfg.TryObject("teams", requireMembers(&teams, "main.pp:3:8: teams", "*/size")); errors.Is(
			err,
			config.ErrMissingVar,
		) {
			teams = map[string]Team{"web": {Size: 2}}
		} else if err != nil {
			return err
		}

		seed, err := probe.NewThing(ctx, "seed", nil)
		if err != nil {
			return err
		}

		single, err := NewWorker(ctx, "single", &WorkerArgs{
			Label: "single",
			Seed:  seed.Out,
		}, pulumi.Parent(seed), pulumi.DependsOn([]pulumi.Resource{seed}))
		if err != nil {
			return err
		}

		team := map[string]*Worker{}
		for _, key := range slices.Sorted(maps.Keys(teams)) {
			value := teams[key]
			worker, err := NewWorker(ctx, fmt.Sprintf("team-%s", key), &WorkerArgs{
				Label: key,
				Size:  pulumi.Int(value.Size),
				Seed:  seed.Out,
			})
			if err != nil {
				return err
			}
			team[key] = worker
		}

		var spare []*Worker
		for i := range 2 {
			worker, err := NewWorker(ctx, fmt.Sprintf("spare-%d", i), &WorkerArgs{
				Label: fmt.Sprintf("spare-%d", i),
				Seed:  pulumi.String("none"),
			})
			if err != nil {
				return err
			}
			spare = append(spare, worker)
		}

		ctx.Export("names", pulumi.StringArray{single.Name, team["web"].Name, spare[0].Name})

		all := make(pulumi.StringArray, 0, len(spare))
		for _, item := range spare {
			all = append(all, item.Name)
		}
		ctx.Export("all", all)
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
