package main

import (
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		ctx.Export("a", pulumi.Sprintf("100%% of %s %%d %%%%", pet.ID()))
		ctx.Export("b", pet.ID().ApplyT(func(id pulumi.ID) map[string]int {
			return map[string]int{fmt.Sprintf("k-%%v-%s", id): 1}
		}))
		ctx.Export("c", pet.ID().ApplyT(func(id pulumi.ID) map[string]int {
			return map[string]int{string(id): 2}
		}))
		return nil
	})
}
