// Attempts that may fail.

package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var settings any = map[string]map[string]string{"a": {"b": "deep"}}
		if text, err := cfg.Try("settings"); err == nil && json.Unmarshal([]byte(text), &settings) != nil {
			settings = text
		}

		thing, err := probe.NewThing(ctx, "thing", nil)
		if err != nil {
			return err
		}

		plain, err := firstOf(
			func() (any, error) { return traverse(settings, "a", "b") },
			func() (any, error) { return traverse(settings, "c") },
			func() (any, error) { return "none", nil },
		)
		if err != nil {
			return err
		}
		ctx.Export("plain", pulumi.Any(plain))

		_, possibleErr := attempt(func() (any, error) { return traverse(settings, "a", "x") })
		ctx.Export("possible", pulumi.Bool(possibleErr == nil))

		ctx.Export("eventual", thing.List.ApplyT(func(list []probe.Item) (string, error) {
			return firstOf(
				func() (string, error) {
					eventual, err := itemAt(list, 3)
					if err != nil {
						return "", err
					}
					return eventual.S, nil
				},
				func() (string, error) { return "short", nil },
			)
		}))
		ctx.Export("recovered", recoverOutput(ctx, thing.Out, func(failure string) pulumi.Output {
			return pulumi.String("failed: " + failure).ToStringOutput()
		}).ApplyT(func(v any) string { return v.(string) }))
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

// itemAt returns the element at an index, which must exist.
func itemAt[T any](items []T, index int) (T, error) {
	if index < 0 || index >= len(items) {
		var none T
		return none, fmt.Errorf("index %d is out of range of %d elements", index, len(items))
	}
	return items[index], nil
}

// recoverOutput is the output itself, or what handle makes of the error when it fails.
func recoverOutput(ctx *pulumi.Context, output pulumi.Output, handle func(failure string) pulumi.Output) pulumi.Output {
	result, resolve, _ := ctx.NewOutput()
	go func() {
		if _, err := internals.UnsafeAwaitOutput(ctx.Context(), output); err != nil {
			resolve(handle(err.Error()))
		} else {
			resolve(output)
		}
	}()
	return result
}

// traverse follows a path of keys and indexes into a dynamic value.
func traverse(value any, path ...any) (any, error) {
	for _, step := range path {
		current, next := reflect.ValueOf(value), reflect.Value{}
		if key, ok := step.(string); ok && current.Kind() == reflect.Map {
			next = current.MapIndex(reflect.ValueOf(key))
		}
		if index, ok := step.(int); ok && current.Kind() == reflect.Slice && index >= 0 && index < current.Len() {
			next = current.Index(index)
		}
		if !next.IsValid() {
			return nil, fmt.Errorf("there is no %v in the value", step)
		}
		value = next.Interface()
	}
	return value, nil
}
