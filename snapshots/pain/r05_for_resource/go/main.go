package main

import (
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		var pets []*random.RandomPet
		for i := range 3 {
			randomPet, err := random.NewRandomPet(ctx, fmt.Sprintf("pets-%d", i), nil)
			if err != nil {
				return err
			}
			pets = append(pets, randomPet)
		}

		inputs := make(pulumi.StringArray, 0, len(pets))
		for _, p := range pets {
			inputs = append(inputs, p.ID())
		}
		_, err := random.NewRandomShuffle(ctx, "sh", &random.RandomShuffleArgs{
			Inputs: inputs,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
