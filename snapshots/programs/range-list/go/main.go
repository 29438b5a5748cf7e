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
	Name  *string `json:"name" pulumi:"name"`
	Admin *bool   `json:"admin" pulumi:"admin"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var users []User
		if err := cfg.TryObject("users", &users); errors.Is(err, config.ErrMissingVar) {
			users = []User{
				{
					Name:  pulumi.StringRef("ann"),
					Admin: pulumi.BoolRef(true),
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
			if *value.Admin {
				size = 10
			}
			thing, err := probe.NewThing(ctx, fmt.Sprintf("user-%d", i), &probe.ThingArgs{
				Label: pulumi.StringPtrFromPtr(value.Name),
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
