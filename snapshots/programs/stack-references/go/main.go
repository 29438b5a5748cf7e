// Values of other stacks.

package main

import (
	"fmt"
	"reflect"
	"strconv"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		base, err := cfg.Try("base")
		if err != nil {
			base = "acme/network/prod"
		}

		network, err := pulumi.NewStackReference(ctx, "network", &pulumi.StackReferenceArgs{
			Name: pulumi.String(base),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: network.GetOutput(pulumi.String("vpcId")).ApplyT(func(getOutput any) (string, error) {
				return toText(getOutput)
			}).(pulumi.StringOutput),
		})
		if err != nil {
			return err
		}

		ctx.Export("vpc", network.Outputs.ApplyT(func(outputs map[string]any) any {
			return outputs["vpcId"]
		}))
		ctx.Export(
			"address",
			pulumi.Sprintf(
				"https://%s/",
				network.GetOutput(pulumi.String("host")).ApplyT(toText).(pulumi.StringOutput),
			),
		)
		return nil
	})
}

// toText returns the text form of a string, a number or a boolean.
func toText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case bool, int, pulumi.ID, pulumi.URN:
		return fmt.Sprint(v), nil
	default:
		found := reflect.ValueOf(value)
		if found.Kind() == reflect.Pointer && !found.IsNil() {
			return toText(found.Elem().Interface())
		}
		if found.Kind() == reflect.String {
			return found.String(), nil
		}
		return "", fmt.Errorf("expected text, found %T", value)
	}
}
