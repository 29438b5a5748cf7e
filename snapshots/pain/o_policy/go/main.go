package main

import (
	"encoding/json"
	"strings"

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

		policy := jsonOutput(map[string]any{
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

// jsonOutput returns the JSON text of a value with outputs inside.
func jsonOutput(value any) pulumi.StringOutput {
	return pulumi.ToOutput(value).ApplyT(toJSON).(pulumi.StringOutput)
}

// toJSON returns the JSON text of a value, without the escapes that only HTML and JavaScript need.
func toJSON(value any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	plain := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")
	return plain.Replace(strings.TrimSuffix(text.String(), "\n")), nil
}
