package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type O struct {
	A string `json:"a" pulumi:"a"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var o O
		cfg.RequireObject("o", &o)
		var givenO map[string]any
		cfg.RequireObject("o", &givenO)
		if err := requireMembers(givenO, "main.pp:1:8: o", "a"); err != nil {
			return err
		}

		x, err := firstOf(
			func() (string, error) { return o.A, nil },
			func() (string, error) { return "d", nil },
		)
		if err != nil {
			return err
		}

		_, yErr := attempt(func() (string, error) { return o.A, nil })
		y := yErr == nil

		ctx.Export("x", pulumi.String(x))
		ctx.Export("y", pulumi.Bool(y))
		return nil
	})
}
