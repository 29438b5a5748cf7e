package main

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		names := []string{"a", "b"}

		parts := make([]string, 0, len(names))
		for _, n := range names {
			parts = append(parts, n+",")
		}
		out := strings.Join(parts, "")

		ctx.Export("o", pulumi.String(out))
		return nil
	})
}
