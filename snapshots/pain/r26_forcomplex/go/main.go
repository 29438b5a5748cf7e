package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type User struct {
	Name string            `json:"name" pulumi:"name"`
	Tags map[string]string `json:"tags" pulumi:"tags"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var users []User
		cfg.RequireObject("users", &users)
		var givenUsers []map[string]any
		cfg.RequireObject("users", &givenUsers)
		for index, user := range givenUsers {
			place := fmt.Sprintf("main.pp:1:8: users[%d]", index)
			if err := requireMembers(user, place, "name", "tags"); err != nil {
				return err
			}
		}

		byName := map[string]map[string]string{}
		for _, u := range users {
			if len(u.Tags) > 1 {
				if _, ok := byName[u.Name]; ok {
					return fmt.Errorf("two elements have the key %q", u.Name)
				}
				byName[u.Name] = u.Tags
			}
		}

		grp := map[string][]map[string]string{}
		for _, u := range users {
			grp[u.Name] = append(grp[u.Name], u.Tags)
		}

		nested := make([][]string, 0, len(users))
		for _, u := range users {
			item := make([]string, 0, len(u.Tags))
			for _, k := range slices.Sorted(maps.Keys(u.Tags)) {
				v := u.Tags[k]
				item = append(item, fmt.Sprintf("%s=%s", k, v))
			}
			nested = append(nested, item)
		}

		ctx.Export("a", pulumi.ToStringMapMap(byName))
		ctx.Export("b", pulumi.ToStringMapArrayMap(grp))
		ctx.Export("c", pulumi.ToStringArrayArray(nested))
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
