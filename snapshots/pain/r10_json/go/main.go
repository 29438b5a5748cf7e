package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pw, err := random.NewRandomPassword(ctx, "pw", &random.RandomPasswordArgs{
			Length: pulumi.Int(8),
		})
		if err != nil {
			return err
		}

		ctx.Export("j", pulumi.JSONMarshal(map[string]any{
			"Version": "2012-10-17",
			"pw":      pw.Result,
			"arr":     []any{1, 2.5, true, nil},
		}))
		ctx.Export("s", pulumi.ToSecret(pw.Result))
		return nil
	})
}
