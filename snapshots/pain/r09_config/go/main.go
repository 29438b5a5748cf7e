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

type User struct {
	Path string   `json:"path" pulumi:"path"`
	Size *float64 `json:"size" pulumi:"size"`
}

type UserConfig struct {
	Name string `json:"name" pulumi:"name"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var subnets []string
		if err := cfg.GetObject("subnets", &subnets); err != nil {
			return err
		}

		var user User
		cfg.RequireObject("user", requireMembers(&user, "main.pp:2:8: user", "path"))

		var users map[string]UserConfig
		cfg.RequireObject("users", requireMembers(&users, "main.pp:3:8: users", "*/name"))

		flag, err := cfg.TryBool("flag")
		if errors.Is(err, config.ErrMissingVar) {
			flag = true
		} else if err != nil {
			return err
		}

		n, err := cfg.TryFloat64("n")
		if errors.Is(err, config.ErrMissingVar) {
			n = 3
		} else if err != nil {
			return err
		}

		text, err := cfg.Try("text")
		if err != nil {
			text = "some"
		}
		i := cfg.RequireInt("i")

		ctx.Export("p", pulumi.String(user.Path))
		ctx.Export("u", pulumi.Any(users))

		var s pulumi.Input
		if subnets != nil {
			s = pulumi.ToStringArray(subnets)
		}
		ctx.Export("s", s)
		ctx.Export("ii", pulumi.Int(i))

		f := "off"
		if flag {
			f = "on"
		}
		ctx.Export("f", pulumi.String(f))
		ctx.Export("nn", pulumi.Float64(n))
		ctx.Export("t", pulumi.String(text))
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
