package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		e := cfg.RequireBool("e")

		var o pulumi.Input = pulumi.Array{}
		if e {
			o = pulumi.IntArray{pulumi.Int(1), pulumi.Int(2)}
		}
		ctx.Export("o", o)

		p := "1"
		if e {
			p = "a"
		}
		ctx.Export("p", pulumi.String(p))
		return nil
	})
}
