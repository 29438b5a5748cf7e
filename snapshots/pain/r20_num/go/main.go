package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		a := 1000000
		b := 9007199254740993
		c := 0.1
		d := -5
		e := 1.00000000000000000000e+20

		ctx.Export("a", pulumi.Int(a))
		ctx.Export("b", pulumi.Int(b))
		ctx.Export("c", pulumi.Float64(c))
		ctx.Export("d", pulumi.Int(d))
		ctx.Export("e", pulumi.Float64(e))
		return nil
	})
}
