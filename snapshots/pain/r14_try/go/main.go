package main

import (
	"fmt"

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

		x := o.A

		_, yErr := attempt(func() (string, error) { return o.A, nil })
		y := yErr == nil

		ctx.Export("x", pulumi.String(x))
		ctx.Export("y", pulumi.Bool(y))
		return nil
	})
}

// attempt calls a function and turns a panic into an error.
func attempt[T any](compute func() (T, error)) (value T, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	return compute()
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
