// Choices between plain and eventual values; in chains; with null.

package main

import (
	"errors"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		production, err := cfg.TryBool("production")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
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

		_, err = probe.NewThing(ctx, "second", &probe.ThingArgs{
			Label: thing.Flag.ApplyT(func(flag bool) string {
				if flag {
					return "on"
				}
				return "off"
			}).(pulumi.StringOutput),
			Size: thing.Int.ApplyT(func(int_ int) int {
				if int_ > 3 {
					return int_
				}
				return size
			}).(pulumi.IntOutput),
			PlainFlag: pulumi.BoolRef(production),
		})
		if err != nil {
			return err
		}

		chain := "some"
		if size == 1 {
			chain = "one"
		} else if size == 2 {
			chain = "two"
		} else if production {
			chain = "many"
		}
		ctx.Export("chain", pulumi.String(chain))

		ctx.Export("eventualCondition", thing.Flag.ApplyT(func(flag bool) pulumi.StringOutput {
			if flag {
				return thing.Out
			}
			return pulumi.String("nothing").ToStringOutput()
		}))

		var eventualBranch pulumi.Input = pulumi.String("nothing")
		if production {
			eventualBranch = thing.Out
		}
		ctx.Export("eventualBranch", eventualBranch)

		ctx.Export("missing", thing.Maybe.ApplyT(func(maybe *string) string {
			if maybe == nil {
				return "none"
			}
			return *maybe
		}))
		return nil
	})
}
