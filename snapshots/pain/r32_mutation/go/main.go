package main

import (
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", nil)
		if err != nil {
			return err
		}

		for i := range 2 {
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("p2-%d", i), &random.RandomPetArgs{
				Prefix: pulumi.String(strconv.Itoa(i)),
			})
			if err != nil {
				return err
			}
		}

		ctx.Export("a", pulumi.Sprintf("p-%s", pet.ID()))
		ctx.Export("j", pulumi.JSONMarshal(map[string]any{"a": pet.ID()}))
		ctx.Export("c", pet.ID().ApplyT(func(id pulumi.ID) int {
			if id == pulumi.ID("x") {
				return 1
			}
			return 2
		}))
		return nil
	})
}
