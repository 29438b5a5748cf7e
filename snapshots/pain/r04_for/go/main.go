package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		names := []string{"a", "b"}

		upper := make([]string, 0, len(names))
		for _, n := range names {
			upper = append(upper, n+"-x")
		}

		m := map[string]int{}
		for i, n := range names {
			m[n] = i
		}

		ctx.Export("o", pulumi.ToStringArray(upper))
		ctx.Export("mm", pulumi.ToIntMap(m))
		return nil
	})
}
