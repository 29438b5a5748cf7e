package main

import (
	"encoding/json"
	"strings"

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

		ctx.Export("j", jsonOutput(map[string]any{
			"Version": "2012-10-17",
			"pw":      pw.Result,
			"arr":     []any{1, 2.5, true, nil},
		}))
		ctx.Export("s", pulumi.ToSecret(pw.Result))
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
