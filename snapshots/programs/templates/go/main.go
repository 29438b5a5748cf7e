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
		// Text put together from plain values and from values that are known only at deployment.
		cfg := config.New(ctx, "")
		person := cfg.Require("person")

		many, err := cfg.TryInt("many")
		if errors.Is(err, config.ErrMissingVar) {
			many = 2
		} else if err != nil {
			return err
		}

		formal, err := cfg.TryBool("formal")
		if errors.Is(err, config.ErrMissingVar) {
			formal = false
		} else if err != nil {
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
			pulumi.String(fmt.Sprintf("Hello %s, %d {new} messages, 100%% $done", person, many)),
		)
		ctx.Export("eventual", pulumi.Sprintf("%s/%d", thing.Out, thing.Int))
		ctx.Export("both", pulumi.Sprintf("%s: {%s} %d", person, thing.Out, many+1))
		ctx.Export("twice", pulumi.Sprintf("%s and %s", thing.Out, thing.Out))

		part := "friend"
		if formal {
			part = "Dr. " + person
		}
		ctx.Export("conditional", pulumi.String(fmt.Sprintf("Dear %s,", part)))

		strings2 := make([]string, 0, len(items))
		for i, item2 := range items {
			strings2 = append(strings2, fmt.Sprintf("%d=%s;", i, item2))
		}
		ctx.Export("joined", pulumi.String(strings.Join(strings2, "")))
		ctx.Export("joinedEventually", thing.Names.ApplyT(func(names []string) string {
			strings3 := make([]string, 0, len(names))
			for _, name := range names {
				strings3 = append(strings3, fmt.Sprintf("<%s>", name))
			}
			return strings.Join(strings3, "")
		}).(pulumi.StringOutput))
		ctx.Export("stripped", pulumi.String(fmt.Sprintf("a%sb", person)))
		ctx.Export("nested", pulumi.String(fmt.Sprintf("outer inner %s end", person)))
		return nil
	})
}
