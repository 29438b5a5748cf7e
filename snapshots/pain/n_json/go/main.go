package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		json, err := random.NewRandomPet(ctx, "json", nil)
		if err != nil {
			return err
		}

		ctx.Export("o", pulumi.JSONMarshal(map[string]any{
			"a": json.ID(),
			"b": 1,
		}))
		return nil
	})
}
