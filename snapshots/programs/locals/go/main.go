// Literals of all kinds, in locals and in an output.

package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		answer := 42
		negative := -7
		small := 0.001
		huge := 9007199254740991
		yes := true
		empty := ""
		escaped := "tab\t quote\" backslash\\ dollar${ percent%{ line\n end"
		unicode := "grüße ☃ 😀"
		mixed := []any{1, "two", true, nil}
		nested := map[string]any{
			"name":    "x",
			"odd key": map[string][]any{"deep": {1, []any{2, []int{3}}}},
			"7":       "seven",
		}
		sum := answer + 1
		share := float64(answer) / 4
		remainder := answer % 5
		product := -(answer * 2) - negative
		either := yes && !(answer > 3 || small <= 0.5)
		same := "a" != empty

		ctx.Export("values", pulumi.Array{
			pulumi.Int(answer),
			pulumi.Int(negative),
			pulumi.Float64(small),
			pulumi.Int(huge),
			pulumi.Bool(yes),
			nil,
			pulumi.String(empty),
			pulumi.String(escaped),
			pulumi.String(unicode),
			pulumi.ToArray(mixed),
			pulumi.ToMap(nested),
		})
		ctx.Export("results", pulumi.Array{
			pulumi.Int(sum),
			pulumi.Float64(share),
			pulumi.Int(remainder),
			pulumi.Int(product),
			pulumi.Bool(either),
			pulumi.Bool(same),
		})
		return nil
	})
}
