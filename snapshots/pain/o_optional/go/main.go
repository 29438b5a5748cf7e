package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		_, err = random.NewRandomPet(ctx, "copy", &random.RandomPetArgs{
			Prefix:  pet.Prefix,
			Keepers: pet.Keepers,
			Length:  pet.Length,
		})
		if err != nil {
			return err
		}

		ran := local.RunOutput(ctx, local.RunOutputArgs{
			Command: pet.Separator,
			Dir:     pet.Prefix,
		})

		ctx.Export("text", pulumi.Sprintf("%s-%s", ran.Stdout(), pet.Prefix.Elem()))
		ctx.Export("fallback", pet.Prefix.ApplyT(func(prefix *string) string {
			if prefix == nil {
				return "none"
			}
			return *prefix
		}))
		return nil
	})
}
