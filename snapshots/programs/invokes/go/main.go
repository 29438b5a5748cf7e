// Functions of a package.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		name, err := cfg.Try("name")
		if err != nil {
			name = "x"
		}

		thing, err := probe.NewThing(ctx, "thing", nil)
		if err != nil {
			return err
		}

		plain := probe.LookupThingOutput(ctx, probe.LookupThingOutputArgs{
			Name:  pulumi.String(name),
			Count: pulumi.Int(2),
		})
		eventual := probe.LookupThingOutput(ctx, probe.LookupThingOutputArgs{Name: thing.Out})
		all := probe.GetAllOutput(ctx)
		joined := probe.JoinOutput(ctx, pulumi.String("a"), pulumi.String("b"))
		scalar := probe.ScalarOutput(ctx, probe.ScalarOutputArgs{X: pulumi.String("y")})

		user, err := probe.NewThing(ctx, "user", &probe.ThingArgs{
			Label: plain.Result(),
			Names: all.Names(),
		})
		if err != nil {
			return err
		}

		ctx.Export("results", pulumi.StringArray{
			plain.Result(),
			eventual.Result(),
			joined.Result(),
			scalar,
		})
		ctx.Export("members", plain.List().ApplyT(func(list []string) []string {
			members := make([]string, 0, len(list))
			for _, one := range list {
				members = append(members, "member "+one)
			}
			return members
		}))
		ctx.Export("withOptions", probe.LookupThingOutput(ctx, probe.LookupThingOutputArgs{
			Name: pulumi.String("z"),
		}, pulumi.Parent(thing), pulumi.DependsOn([]pulumi.Resource{user})).Result())
		return nil
	})
}
