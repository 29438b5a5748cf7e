// Objects within objects, in inputs and in outputs.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Obj: &probe.ItemArgs{
				S: pulumi.String("outer"),
				N: pulumi.Int(1),
				Inner: &probe.InnerArgs{
					S:    pulumi.String("inner"),
					When: pulumi.String("now"),
				},
				Tags: pulumi.StringArray{pulumi.String("a"), pulumi.String("b")},
			},
			List: probe.ItemArray{
				probe.ItemArgs{S: pulumi.String("one")},
				probe.ItemArgs{
					S:     pulumi.String("two"),
					Inner: &probe.InnerArgs{S: pulumi.String("deep")},
				},
			},
			Tags: pulumi.StringMap{
				"plain":      pulumi.String("1"),
				"with space": pulumi.String("2"),
				"with-dash":  pulumi.String("3"),
			},
			Any: pulumi.ArrayMapMap{
				"free": pulumi.ArrayMap{
					"form": pulumi.Array{pulumi.Int(1), pulumi.String("a"), nil},
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "second", &probe.ThingArgs{
			Obj:   thing.Obj,
			List:  thing.List,
			Label: thing.Obj.Inner().S(),
			Size:  thing.List.Index(pulumi.Int(0)).N(),
			Maybe: thing.Tags.MapIndex(pulumi.String("with-dash")),
		})
		if err != nil {
			return err
		}

		ctx.Export("deep", thing.Obj.Inner().When())
		ctx.Export("computedKeys", thing.Out.ApplyT(func(out string) map[string]int {
			return map[string]int{
				out:             1,
				out + "-second": 2,
				"fixed":         3,
			}
		}))
		ctx.Export("whole", thing)
		return nil
	})
}
