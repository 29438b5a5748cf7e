package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		name := cfg.Require("name")

		part := "no"
		if name == "x" {
			part = "yes"
		}
		a := fmt.Sprintf(
			"#!/bin/bash\n"+
				"echo `date` ${HOME} \"%s\" \\n 'q' \"\"\"\n"+
				"%s\n",
			name,
			part,
		)

		b := "tick ` dollar ${x} pct %{y} quote \" back \\ tab \t nl \n uni é"

		ctx.Export("a", pulumi.String(a))
		ctx.Export("b", pulumi.String(b))
		return nil
	})
}
