package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		networkStack, err := cfg.Try("networkStack")
		if err != nil {
			networkStack = "acme/network/prod"
		}

		var overrides any = map[string]any{}
		if text, err := cfg.Try("overrides"); err == nil && json.Unmarshal([]byte(text), &overrides) != nil {
			overrides = text
		}

		var settings map[string]string
		if err := cfg.TryObject("settings", &settings); errors.Is(err, config.ErrMissingVar) {
			settings = map[string]string{}
		} else if err != nil {
			return err
		}

		network, err := pulumi.NewStackReference(ctx, "network", &pulumi.StackReferenceArgs{
			Name: pulumi.String(networkStack),
		})
		if err != nil {
			return err
		}

		vpcId := network.GetStringOutput(pulumi.String("vpcId"))

		size, err := firstOf(
			func() (string, error) { return entryOf(settings, "size") },
			func() (string, error) { return "s-1vcpu-1gb", nil },
		)
		if err != nil {
			return err
		}
		droplet, err := digitalocean.NewDroplet(ctx, "droplet", &digitalocean.DropletArgs{
			Image:   pulumi.String("ubuntu-24-04-x64"),
			Size:    pulumi.String(size),
			Region:  pulumi.String(digitalocean.RegionNYC3),
			VpcUuid: vpcId,
		})
		if err != nil {
			return err
		}

		ctx.Export("subnet", network.GetOutput(pulumi.String("subnets")))
		ctx.Export("token", pulumi.Unsecret(network.GetOutput(pulumi.String("token"))))

		_, hasSizeErr := attempt(func() (string, error) { return entryOf(settings, "size") })
		ctx.Export("hasSize", pulumi.Bool(hasSizeErr == nil))

		deep, err := firstOf(
			func() (any, error) { return traverse(overrides, "a", "b") },
			func() (any, error) { return traverse(overrides, "c") },
			func() (any, error) { return "none", nil },
		)
		if err != nil {
			return err
		}
		ctx.Export("deep", pulumi.Any(deep))

		ctx.Export("recovered", recoverOutput(ctx, droplet.Ipv4Address, func(failure string) pulumi.Output {
			return pulumi.String("failed: " + failure).ToStringOutput()
		}).ApplyT(func(v any) string { return v.(string) }))
		ctx.Export("tryOutput", droplet.Tags.ApplyT(func(tags []string) (*string, error) {
			return firstOf(
				func() (*string, error) {
					tryOutput, err := itemAt(tags, 0)
					if err != nil {
						return nil, err
					}
					return pulumi.StringRef(tryOutput), nil
				},
				func() (*string, error) { return pulumi.StringRef("untagged"), nil },
			)
		}))
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

// entryOf returns the value of a key, which must exist.
func entryOf[T any](members map[string]T, key string) (T, error) {
	value, ok := members[key]
	if !ok {
		return value, fmt.Errorf("there is no %q in the map", key)
	}
	return value, nil
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
