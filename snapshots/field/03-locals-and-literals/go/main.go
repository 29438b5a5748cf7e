package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// every literal form, gathered in locals
		empty := ""
		plain := "plain"
		escapes := "tab:\t quote:\" backslash:\\ newline:\n unicode:é"
		dollar := "${not_interpolated} and %{also_not}"
		answer := 42
		negative := -17
		fraction := 3.14159
		exponent := 1500
		yes := true
		no := false
		emptyList := []any{}
		emptyMap := map[string]any{}
		mixed := []any{1, "two", true, nil}
		nestedList := [][]int{{1, 2}, {3, 4}}
		nestedObject := map[string]any{
			"outer": map[string]any{
				"inner": []string{"a", "b"},
				"flag":  true,
			},
			"quoted": 1,
		}
		area := answer*2 + 1
		parity := answer%2 == 0
		logic := !no && (yes || parity) && answer >= 42 && answer != 41
		half := float64(answer) / 4

		_, err := random.NewRandomString(ctx, "token", &random.RandomStringArgs{
			Length:  pulumi.Int(area),
			Special: pulumi.Bool(logic),
			Lower:   pulumi.Bool(!no),
			Keepers: pulumi.StringMap{
				"a": pulumi.String(nestedObject["outer"].(map[string]any)["inner"].([]string)[0]),
				"b": pulumi.String(plain),
				"c": pulumi.String(dollar),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("literals", pulumi.Map{
			"empty":    pulumi.String(empty),
			"escapes":  pulumi.String(escapes),
			"negative": pulumi.Int(negative),
			"fraction": pulumi.Float64(fraction),
			"exponent": pulumi.Int(exponent),
			"list":     pulumi.ToArray(emptyList),
			"map":      pulumi.ToMap(emptyMap),
			"mixed":    pulumi.ToArray(mixed),
			"nested":   pulumi.ToIntArrayArray(nestedList),
			"half":     pulumi.Float64(half),
			"flag":     pulumi.Bool(nestedObject["outer"].(map[string]any)["flag"].(bool)),
		})
		return nil
	})
}
