package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		myPet, err := random.NewRandomPet(ctx, "my.pet/1", nil)
		if err != nil {
			return err
		}

		myPetRandomPet, err := random.NewRandomPet(ctx, "my_pet", &random.RandomPetArgs{
			Prefix: myPet.ID(),
		})
		if err != nil {
			return err
		}

		_, err = random.NewRandomPet(ctx, "myPet", &random.RandomPetArgs{
			Prefix: myPetRandomPet.ID(),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
