package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		fmt := "x"
		string_ := "y"

		ctx.Export("o", pulumi.Sprintf("%s-%s", fmt, string_))
		return nil
	})
}
