// A component used plainly, for each member of a map, and so many times.

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
		if err := cfg.TryObject("teams", &teams); errors.Is(err, config.ErrMissingVar) {
			teams = map[string]Team{"web": {Size: 2}}
		} else if err != nil {
			return err
		}
		var givenTeams map[string]map[string]any
		cfg.GetObject("teams", &givenTeams)
		for _, key := range slices.Sorted(maps.Keys(givenTeams)) {
			place := fmt.Sprintf("main.pp:3:8: teams.%s", key)
			if err := requireMembers(givenTeams[key], place, "size"); err != nil {
				return err
			}
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

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
