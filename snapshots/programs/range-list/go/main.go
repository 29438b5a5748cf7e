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
		// A copy of a resource for each member of a list.
		cfg := config.New(ctx, "")
		var users []User
		if err := cfg.TryObject("users", &users); errors.Is(err, config.ErrMissingVar) {
			users = []User{
				User{
					Name:  pulumi.StringRef("ann"),
					Admin: pulumi.BoolRef(true),
				},
			}
		} else if err != nil {
			return err
		}

		var zone []*probe.Thing
		items := []string{"a", "b"}
		for i, item2 := range items {
			item3, err := probe.NewThing(ctx, fmt.Sprintf("zone-%d", i), &probe.ThingArgs{
				Label: pulumi.Sprintf("%d: %s", i, item2),
			})
			if err != nil {
				return err
			}
			zone = append(zone, item3)
		}

		var user []*probe.Thing
		for i, user2 := range users {
			size := 1
			if *user2.Admin {
				size = 10
			}
			item2, err := probe.NewThing(ctx, fmt.Sprintf("user-%d", i), &probe.ThingArgs{
				Label: pulumi.StringPtrFromPtr(user2.Name),
				Size:  pulumi.Int(size),
			}, pulumi.Parent(zone[0]))
			if err != nil {
				return err
			}
			user = append(user, item2)
		}

		usersValue := make(pulumi.StringArray, 0, len(user))
		for _, one := range user {
			usersValue = append(usersValue, one.Out)
		}
		ctx.Export("users", usersValue)
		return nil
	})
}
