package main

import (
	"errors"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// Choices between plain and eventual values; in chains; with null.
		cfg := config.New(ctx, "")
		production, err := cfg.TryBool("production")
		if errors.Is(err, config.ErrMissingVar) {
			production = false
		} else if err != nil {
			return err
		}

		size, err := cfg.TryInt("size")
		if errors.Is(err, config.ErrMissingVar) {
			size = 1
		} else if err != nil {
			return err
		}

		label := "small"
		if production {
			label = "large"
		}
		var size2 *int
		if production {
			size2 = pulumi.IntRef(4)
		}
		names := []string{}
		if production {
			names = []string{"a", "b"}
		}
		var obj probe.ItemPtrInput
		if production {
			obj = &probe.ItemArgs{
				S: pulumi.String("x"),
				N: pulumi.Int(1),
			}
		} else {
			obj = &probe.ItemArgs{S: pulumi.String("y")}
		}
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Label: pulumi.String(label),
			Size:  pulumi.IntPtrFromPtr(size2),
			Names: pulumi.ToStringArray(names),
			Obj:   obj,
		})
		if err != nil {
			return err
		}

		var plainFlag *bool = pulumi.BoolRef(false)
		if production {
			plainFlag = pulumi.BoolRef(true)
		}
		_, err = probe.NewThing(ctx, "second", &probe.ThingArgs{
			Label: thing.Flag.ApplyT(func(flag bool) string {
				label2 := "off"
				if flag {
					label2 = "on"
				}
				return label2
			}).(pulumi.StringOutput),
			Size: thing.Int.ApplyT(func(int_ int) int {
				size3 := size
				if int_ > 3 {
					size3 = int_
				}
				return size3
			}).(pulumi.IntOutput),
			PlainFlag: plainFlag,
		})
		if err != nil {
			return err
		}

		var chainValue string
		if size == 1 {
			chainValue = "one"
		} else if size == 2 {
			chainValue = "two"
		} else {
			chainValue3 := "some"
			if production {
				chainValue3 = "many"
			}
			chainValue = chainValue3
		}
		ctx.Export("chain", pulumi.String(chainValue))
		ctx.Export("eventualCondition", pulumi.All(thing.Flag, thing.Out).ApplyT(func(args []any) string {
			flag := args[0].(bool)
			out := args[1].(string)
			eventualConditionValue := "nothing"
			if flag {
				eventualConditionValue = out
			}
			return eventualConditionValue
		}).(pulumi.StringOutput))

		var eventualBranchValue pulumi.Input = pulumi.String("nothing")
		if production {
			eventualBranchValue = thing.Out
		}
		ctx.Export("eventualBranch", eventualBranchValue)
		ctx.Export("missing", thing.Maybe.ApplyT(func(maybe *string) *string {
			missingValue := maybe
			if maybe == nil {
				missingValue = pulumi.StringRef("none")
			}
			return missingValue
		}).(pulumi.StringPtrOutput))
		return nil
	})
}
