package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
		cfg.RequireObject("user", &user)
		var givenUser map[string]any
		cfg.RequireObject("user", &givenUser)
		if err := requireMembers(givenUser, "main.pp:2:8: user", "path"); err != nil {
			return err
		}

		var users map[string]UserConfig
		cfg.RequireObject("users", &users)
		var givenUsers map[string]map[string]any
		cfg.RequireObject("users", &givenUsers)
		for _, key := range slices.Sorted(maps.Keys(givenUsers)) {
			place := fmt.Sprintf("main.pp:3:8: users.%s", key)
			if err := requireMembers(givenUsers[key], place, "name"); err != nil {
				return err
			}
		}

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

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
