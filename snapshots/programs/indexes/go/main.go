// Parts of values, plain and eventual, by fixed and by computed keys.

package main

import (
	"errors"
	"fmt"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var names []string
		if err := cfg.TryObject("names", &names); errors.Is(err, config.ErrMissingVar) {
			names = []string{"a", "b"}
		} else if err != nil {
			return err
		}

		var tags map[string]string
		if err := cfg.TryObject("tags", &tags); errors.Is(err, config.ErrMissingVar) {
			tags = map[string]string{"a": "1"}
		} else if err != nil {
			return err
		}

		at, err := cfg.TryInt("at")
		if errors.Is(err, config.ErrMissingVar) {
			at = 1
		} else if err != nil {
			return err
		}

		key, err := cfg.Try("key")
		if err != nil {
			key = "a"
		}

		thing, err := probe.NewThing(ctx, "thing", nil)
		if err != nil {
			return err
		}

		plain, err := itemAt(names, at)
		if err != nil {
			return err
		}
		plain2, err := entryOf(tags, "a")
		if err != nil {
			return err
		}
		plain3, err := entryOf(tags, "a")
		if err != nil {
			return err
		}
		plain4, err := entryOf(tags, key)
		if err != nil {
			return err
		}
		plain5, err := itemAt([]int{1, 2, 3}, at)
		if err != nil {
			return err
		}
		ctx.Export("plain", pulumi.Array{
			pulumi.String(names[0]),
			pulumi.String(plain),
			pulumi.String(names[1]),
			pulumi.String(plain2),
			pulumi.String(plain3),
			pulumi.String(plain4),
			pulumi.Int(plain5),
			pulumi.Int(map[string]int{"a": 1}["a"]),
		})

		ctx.Export("eventual", pulumi.Array{
			thing.Names.Index(pulumi.Int(0)),
			thing.Names.Index(pulumi.Int(at)),
			thing.Tags.MapIndex(pulumi.String("a")),
			thing.Tags.MapIndex(pulumi.String(key)),
			thing.List.Index(pulumi.Int(at)).Inner().S(),
		})
		ctx.Export("keyIsEventual", thing.Out.ApplyT(func(out string) (string, error) {
			return entryOf(tags, out)
		}))
		return nil
	})
}

// entryOf returns the value of a key, which must exist.
func entryOf[T any](members map[string]T, key string) (T, error) {
	value, ok := members[key]
	if !ok {
		return value, fmt.Errorf("there is no %q in the map", key)
	}
	return value, nil
}

// itemAt returns the element at an index, which must exist.
func itemAt[T any](items []T, index int) (T, error) {
	if index < 0 || index >= len(items) {
		var none T
		return none, fmt.Errorf("index %d is out of range of %d elements", index, len(items))
	}
	return items[index], nil
}
