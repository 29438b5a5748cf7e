// Long texts.

package main

import (
	"fmt"
	"strings"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		user, err := cfg.Try("user")
		if err != nil {
			user = "web"
		}

		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.Sprintf(`#!/bin/sh
set -eu
  echo "hello %s" > '/tmp/{out}'
printf '100%%%%\n' \
  "${HOME}"
`, user),
		})
		if err != nil {
			return err
		}

		items := []string{"a", "b"}
		parts := make([]string, 0, len(items))
		for _, name := range items {
			parts = append(parts, fmt.Sprintf("  - %s\n", name))
		}
		_, err = probe.NewThing(ctx, "follower", &probe.ThingArgs{
			Label: pulumi.Sprintf(`name: %s
  user: %s

tags:
%s`, thing.Out, user, strings.Join(parts, "")),
		})
		if err != nil {
			return err
		}

		ctx.Export("single", pulumi.String("just one line\n"))
		ctx.Export(
			"quotes",
			pulumi.String("three \"\"\" quotes ''' and `ticks` and a \\ backslash\n"),
		)
		return nil
	})
}
