// A copy of a resource for each member of a list.

package main

import (
	"errors"
	"fmt"

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
		if err := cfg.TryObject("users", &users); errors.Is(err, config.ErrMissingVar) {
			users = []User{
				{
					Name:  "ann",
					Admin: true,
				},
			}
		} else if err != nil {
			return err
		}
		var givenUsers []map[string]any
		cfg.GetObject("users", &givenUsers)
		for index, userValue := range givenUsers {
			place := fmt.Sprintf("range-list.pp:3:8: users[%d]", index)
			if err := requireMembers(userValue, place, "name", "admin"); err != nil {
				return err
			}
		}

		var zone []*probe.Thing
		items := []string{"a", "b"}
		for i, value := range items {
			thing, err := probe.NewThing(ctx, fmt.Sprintf("zone-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("%d: %s", i, value),
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

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
