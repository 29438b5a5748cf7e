package main

import (
	"encoding/json"
	"strings"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		randomPet, err := random.NewRandomPet(ctx, "random", nil)
		if err != nil {
			return err
		}

		pulumiRandomPet, err := random.NewRandomPet(ctx, "pulumi", &random.RandomPetArgs{
			Prefix: randomPet.ID(),
		})
		if err != nil {
			return err
		}

		this, err := random.NewRandomPet(ctx, "this", &random.RandomPetArgs{
			Prefix: pulumiRandomPet.ID(),
		})
		if err != nil {
			return err
		}

		lambda, err := random.NewRandomPet(ctx, "lambda", &random.RandomPetArgs{
			Prefix: this.ID(),
		})
		if err != nil {
			return err
		}

		ctxRandomPet, err := random.NewRandomPet(ctx, "ctx", &random.RandomPetArgs{
			Prefix: lambda.ID(),
		})
		if err != nil {
			return err
		}

		errRandomPet, err := random.NewRandomPet(ctx, "err", &random.RandomPetArgs{
			Prefix: ctxRandomPet.ID(),
		})
		if err != nil {
			return err
		}

		string_, err := random.NewRandomPet(ctx, "string", &random.RandomPetArgs{
			Prefix: errRandomPet.ID(),
		})
		if err != nil {
			return err
		}

		config, err := random.NewRandomPet(ctx, "config", &random.RandomPetArgs{
			Prefix: string_.ID(),
		})
		if err != nil {
			return err
		}

		main_, err := random.NewRandomPet(ctx, "main", &random.RandomPetArgs{
			Prefix: config.ID(),
		})
		if err != nil {
			return err
		}

		jsonRandomPet, err := random.NewRandomPet(ctx, "json", &random.RandomPetArgs{
			Prefix: main_.ID(),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", jsonOutput(map[string]any{"a": jsonRandomPet.ID()}))
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
