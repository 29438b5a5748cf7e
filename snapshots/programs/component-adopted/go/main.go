package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// A component with options that SDKs name for custom resources.
		part, err := NewPart(
			ctx,
			"part",
			&PartArgs{
				Label: pulumi.String("l"),
			},
			pulumi.Protect(true),
			pulumi.Import(pulumi.ID("existing")),
			pulumi.DeleteBeforeReplace(true),
			pulumi.AdditionalSecretOutputs([]string{"label"}),
		)
		if err != nil {
			return err
		}

		ctx.Export("label", part.Shown)
		return nil
	})
}
