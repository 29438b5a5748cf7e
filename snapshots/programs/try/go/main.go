// Attempts that may fail.

package main

import (
	"encoding/json"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
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
