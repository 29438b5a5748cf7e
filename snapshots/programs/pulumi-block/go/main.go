// The versions of Pulumi that the program works with.

package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		if err := ctx.RequirePulumiVersion(">=3.100.0"); err != nil {
			return err
		}

		ctx.Export("version", pulumi.String("3.100.0 or newer"))
		return nil
	})
}
