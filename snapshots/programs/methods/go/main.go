// Functions of a resource.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		thing, err := probe.NewThing(ctx, "thing", nil)
		if err != nil {
			return err
		}

		text, err := thing.Describe(ctx, &probe.ThingDescribeArgs{Style: pulumi.String("short")})
		if err != nil {
			return err
		}
		ctx.Export("text", text.Text())

		size, err := thing.Measure(ctx)
		if err != nil {
			return err
		}
		ctx.Export("size", pulumi.Int(size))
		return nil
	})
}
