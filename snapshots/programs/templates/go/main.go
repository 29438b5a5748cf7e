// Text put together from plain values and from values that are known only at deployment.

package main

import (
	"errors"
	"fmt"
	"strings"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		person := cfg.Require("person")

		many, err := cfg.TryInt("many")
		if errors.Is(err, config.ErrMissingVar) {
			many = 2
		} else if err != nil {
			return err
		}

		formal, err := cfg.TryBool("formal")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
			return err
		}

		var items []string
		if err := cfg.TryObject("items", &items); errors.Is(err, config.ErrMissingVar) {
			items = []string{"a", "b"}
		} else if err != nil {
			return err
		}

		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.String("plain " + person),
		})
		if err != nil {
			return err
		}

		ctx.Export("onlyOne", pulumi.Int(many))
		ctx.Export(
			"plain",
			pulumi.Sprintf("Hello %s, %d {new} messages, 100%% $done", person, many),
		)
		ctx.Export("eventual", pulumi.Sprintf("%s/%d", thing.Out, thing.Int))
		ctx.Export("both", pulumi.Sprintf("%s: {%s} %d", person, thing.Out, many+1))
		ctx.Export("twice", pulumi.Sprintf("%s and %s", thing.Out, thing.Out))

		part := "friend"
		if formal {
			part = "Dr. " + person
		}
		ctx.Export("conditional", pulumi.Sprintf("Dear %s,", part))

		parts := make([]string, 0, len(items))
		for i, item := range items {
			parts = append(parts, fmt.Sprintf("%d=%s;", i, item))
		}
		ctx.Export("joined", pulumi.String(strings.Join(parts, "")))

		ctx.Export("joinedEventually", thing.Names.ApplyT(func(names []string) string {
			parts2 := make([]string, 0, len(names))
			for _, name := range names {
				parts2 = append(parts2, fmt.Sprintf("<%s>", name))
			}
			return strings.Join(parts2, "")
		}))
		ctx.Export("stripped", pulumi.Sprintf("a%sb", person))
		ctx.Export("nested", pulumi.Sprintf("outer inner %s end", person))
		return nil
	})
}
