package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type User struct {
	Name *string           `json:"name" pulumi:"name"`
	Tags map[string]string `json:"tags" pulumi:"tags"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var users []User
		cfg.RequireObject("users", &users)

		byName := map[string]map[string]string{}
		for _, u := range users {
			if u.Name == nil || *u.Name != "x" {
				byName[*u.Name] = u.Tags
			}
		}

		grp := map[string][]map[string]string{}
		for _, u := range users {
			key := *u.Name
			grp[key] = append(grp[key], u.Tags)
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
