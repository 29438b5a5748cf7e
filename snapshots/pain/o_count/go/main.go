package main

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		many, err := cfg.TryInt("many")
		if errors.Is(err, config.ErrMissingVar) {
			many = 2
		} else if err != nil {
			return err
		}

		var some []*random.RandomPet
		for i := range many {
			randomPet, err := random.NewRandomPet(ctx, fmt.Sprintf("some-%d", i), nil)
			if err != nil {
				return err
			}
			some = append(some, randomPet)
		}

		ids := make(pulumi.IDArray, 0, len(some))
		for _, p := range some {
			ids = append(ids, p.ID())
		}
		ctx.Export("ids", ids)
		return nil
	})
}
