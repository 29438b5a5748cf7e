package main

import (
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type User struct {
	Path *string  `json:"path" pulumi:"path"`
	Size *float64 `json:"size" pulumi:"size"`
}

type UserConfig struct {
	Name *string `json:"name" pulumi:"name"`
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

		var users map[string]UserConfig
		cfg.RequireObject("users", &users)

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

		ctx.Export("p", pulumi.StringPtrFromPtr(user.Path))
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
