package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		cfg.RequireObject("users", requireMembers(&users, "main.pp:1:8: users", "*/name", "*/tags"))

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
