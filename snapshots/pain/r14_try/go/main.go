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

type O struct {
	A string `json:"a" pulumi:"a"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var o O
		cfg.RequireObject("o", requireMembers(&o, "main.pp:1:8: o", "a"))

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

// attempt calls a function and turns a panic into an error.
func attempt[T any](compute func() (T, error)) (value T, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	return compute()
}

// firstOf returns the first value that can be computed.
func firstOf[T any](attempts ...func() (T, error)) (value T, err error) {
	for _, compute := range attempts {
		if value, err = attempt(compute); err == nil {
			break
		}
	}
	return value, err
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
