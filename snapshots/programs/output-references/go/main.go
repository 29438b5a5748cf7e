package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// What an output is may be used by its name.
		port := 80
		place := "here"

		thing, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Out: pulumi.Sprintf("port %d of %s", port, place),
		})
		if err != nil {
			return err
		}

		made := thing.Out

		// The port of the service.
		ctx.Export("port", pulumi.Int(port))
		ctx.Export("place", pulumi.String(place))
		ctx.Export("made", made)
		ctx.Export("whole", pulumi.StringArray{made, pulumi.Sprintf("%s:%d", made, port)})
		return nil
	})
}
