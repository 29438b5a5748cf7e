// Values that fit only after a conversion.

package main

import (
	"errors"
	"strconv"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		digits, err := cfg.Try("digits")
		if err != nil {
			digits = "12"
		}

		flag, err := cfg.TryBool("flag")
		if errors.Is(err, config.ErrMissingVar) {
			flag = true
		} else if err != nil {
			return err
		}

		var numbers []float64
		if err := cfg.TryObject("numbers", &numbers); errors.Is(err, config.ErrMissingVar) {
			numbers = []float64{1.5}
		} else if err != nil {
			return err
		}

		num, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return err
		}
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.String("5"),
			Size:  pulumi.Int(7),
			Flag:  pulumi.Bool(true),
			Num:   pulumi.Float64(num),
			Names: pulumi.StringArray{
				pulumi.String("1"),
				pulumi.String(strconv.FormatBool(flag)),
				pulumi.String(digits),
			},
			Tags: pulumi.StringMap{
				"a": pulumi.String("1"),
				"b": pulumi.String(strconv.FormatBool(flag)),
			},
		})
		if err != nil {
			return err
		}

		names := make([]string, 0, len(numbers))
		for _, item := range numbers {
			names = append(names, strconv.FormatFloat(item, 'f', -1, 64))
		}
		_, err = probe.NewThing(ctx, "second", &probe.ThingArgs{
			Label: thing.Int.ApplyT(strconv.Itoa).(pulumi.StringOutput),
			Size:  thing.Out.ApplyT(strconv.Atoi).(pulumi.IntOutput),
			Names: pulumi.ToStringArray(names),
			Maybe: pulumi.String(strconv.FormatBool(flag)),
		})
		if err != nil {
			return err
		}

		digits2, err := strconv.Atoi(digits)
		if err != nil {
			return err
		}
		ctx.Export("digits", pulumi.Int(digits2))
		return nil
	})
}
