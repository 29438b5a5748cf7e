// A program in two files; each refers to the other.

package main

import (
	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		port := 8080

		server, err := probe.NewThing(ctx, "server", &probe.ThingArgs{
			Label: pulumi.Sprintf("port %d", port),
		})
		if err != nil {
			return err
		}

		ctx.Export("address", pulumi.Sprintf("http://%s:%d", server.Out, port))
		return nil
	})
}
