package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := NewWeb(ctx, "web", &WebArgs{
			Prefix: "x",
		})
		if err != nil {
			return err
		}

		ctx.Export("id", web.PetId)
		return nil
	})
}
