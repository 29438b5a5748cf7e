package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		prov, err := random.NewProvider(ctx, "prov", nil)
		if err != nil {
			return err
		}

		b, err := random.NewRandomPet(ctx, "b", nil)
		if err != nil {
			return err
		}

		_, err = random.NewRandomPet(
			ctx,
			"a",
			nil,
			pulumi.Provider(prov),
			pulumi.DependsOn([]pulumi.Resource{b}),
			pulumi.IgnoreChanges([]string{"prefix"}),
			pulumi.Parent(b),
			pulumi.DeleteBeforeReplace(true),
			pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "5m"}),
			pulumi.Aliases([]pulumi.Alias{{URN: pulumi.URN("urn:x")}}),
			pulumi.RetainOnDelete(true),
		)
		if err != nil {
			return err
		}
		return nil
	})
}
