package main

import (
	"fmt"

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
			if _, ok := m[n]; ok {
				return fmt.Errorf("two elements have the key %q", n)
			}
			m[n] = i
		}

		ctx.Export("o", pulumi.ToStringArray(upper))
		ctx.Export("mm", pulumi.ToIntMap(m))
		return nil
	})
}
