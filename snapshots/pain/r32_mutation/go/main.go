package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		ctx.Export("a", pulumi.Sprintf("p-%s", pet.ID()))

		for i := range 2 {
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("p2-%d", i), &random.RandomPetArgs{
				Prefix: pulumi.String(strconv.Itoa(i)),
			})
			if err != nil {
				return err
			}
		}

		ctx.Export("j", jsonOutput(map[string]any{"a": pet.ID()}))
		ctx.Export("c", pet.ID().ApplyT(func(id pulumi.ID) int {
			if id == pulumi.ID("x") {
				return 1
			}
			return 2
		}))
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
