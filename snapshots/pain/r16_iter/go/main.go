package main

import (
	"fmt"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		e := cfg.RequireBool("e")

		var src any = map[string]any{}
		if e {
			src2, err := notImplemented("x")
			if err != nil {
				return err
			}
			src = src2
		}

		entries, err := entriesWithin(src)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			key := entry["key"]
			prefix, err := optionally(key, toText)
			if err != nil {
				return err
			}
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("a-%v", key), &random.RandomPetArgs{
				Prefix: pulumi.StringPtrFromPtr(prefix),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
