package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		randomPet, err := random.NewRandomPet(ctx, "random", nil)
		if err != nil {
			return err
		}

		pulumiRandomPet, err := random.NewRandomPet(ctx, "pulumi", &random.RandomPetArgs{
			Prefix: randomPet.ID(),
		})
		if err != nil {
			return err
		}

		this, err := random.NewRandomPet(ctx, "this", &random.RandomPetArgs{
			Prefix: pulumiRandomPet.ID(),
		})
		if err != nil {
			return err
		}

		lambda, err := random.NewRandomPet(ctx, "lambda", &random.RandomPetArgs{
			Prefix: this.ID(),
		})
		if err != nil {
			return err
		}

		ctxRandomPet, err := random.NewRandomPet(ctx, "ctx", &random.RandomPetArgs{
			Prefix: lambda.ID(),
		})
		if err != nil {
			return err
		}

		errRandomPet, err := random.NewRandomPet(ctx, "err", &random.RandomPetArgs{
			Prefix: ctxRandomPet.ID(),
		})
		if err != nil {
			return err
		}

		string_, err := random.NewRandomPet(ctx, "string", &random.RandomPetArgs{
			Prefix: errRandomPet.ID(),
		})
		if err != nil {
			return err
		}

		config, err := random.NewRandomPet(ctx, "config", &random.RandomPetArgs{
			Prefix: string_.ID(),
		})
		if err != nil {
			return err
		}

		main_, err := random.NewRandomPet(ctx, "main", &random.RandomPetArgs{
			Prefix: config.ID(),
		})
		if err != nil {
			return err
		}

		json, err := random.NewRandomPet(ctx, "json", &random.RandomPetArgs{
			Prefix: main_.ID(),
		})
		if err != nil {
			return err
		}

		ctx.Export("o", pulumi.JSONMarshal(map[string]any{"a": json.ID()}))
		return nil
	})
}
