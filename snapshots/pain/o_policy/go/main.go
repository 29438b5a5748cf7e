package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		pw, err := random.NewRandomPassword(ctx, "pw", &random.RandomPasswordArgs{
			Length: pulumi.Int(8),
		})
		if err != nil {
			return err
		}

		policy := pulumi.JSONMarshal(map[string]any{
			"Version": "2012-10-17",
			"Statement": []any{
				map[string]any{
					"Effect":   "Allow",
					"Action":   []any{"s3:*", pulumi.Sprintf("list:%s", pet.ID())},
					"Resource": pulumi.Sprintf("%s/*", pet.ID()),
					"Count":    pet.Length,
					"On":       pw.Special,
				},
			},
		})

		_, err = local.NewCommand(ctx, "apply", &local.CommandArgs{
			Create: policy,
		})
		if err != nil {
			return err
		}

		ctx.Export("policy", policy)
		return nil
	})
}
