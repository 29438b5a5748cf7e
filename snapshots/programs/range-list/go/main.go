// A copy of a resource for each member of a list.

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

type User struct {
	Name  string `json:"name" pulumi:"name"`
	Admin bool   `json:"admin" pulumi:"admin"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var users []User
		if err := cfg.TryObject(
			"users",
			requireMembers(&users, "range-list.pp:3:8: users", "*/name", "*/admin"),
		); errors.Is(err, config.ErrMissingVar) {
			users = []User{
				{
					Name:  "ann",
					Admin: true,
				},
			}
		} else if err != nil {
			return err
		}

		var zone []*probe.Thing
		items := []string{"a", "b"}
		for i, item := range items {
			thing, err := probe.NewThing(ctx, fmt.Sprintf("zone-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("%d: %s", i, item),
			})
			if err != nil {
				return err
			}
			zone = append(zone, thing)
		}

		var user []*probe.Thing
		for i, value := range users {
			size := 1
			if value.Admin {
				size = 10
			}
			thing, err := probe.NewThing(ctx, fmt.Sprintf("user-%d", i), &probe.ThingArgs{
				Label: pulumi.String(value.Name),
				Size:  pulumi.Int(size),
			}, pulumi.Parent(zone[0]))
			if err != nil {
				return err
			}
			user = append(user, thing)
		}

		users2 := make(pulumi.StringArray, 0, len(user))
		for _, one := range user {
			users2 = append(users2, one.Out)
		}
		ctx.Export("users", users2)
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
