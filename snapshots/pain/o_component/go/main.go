package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		part, err := NewPart(ctx, "part", &PartArgs{
			Env: pulumi.String("prd"),
		})
		if err != nil {
			return err
		}

		_, err = NewPart(ctx, "other", &PartArgs{
			Env: part.Summary.ApplyT(func(summary map[string]string) string {
				return summary["label"]
			}).(pulumi.StringOutput),
		})
		if err != nil {
			return err
		}

		ctx.Export("kind", part.Summary.ApplyT(func(summary map[string]string) string {
			return summary["kind"]
		}))
		return nil
	})
}
