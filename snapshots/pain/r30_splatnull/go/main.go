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

		var i pulumi.Input
		if pet != nil {
			i = pet.ID()
		}
		ctx.Export("i", i)

		var id pulumi.IDPtrOutput
		if pet != nil {
			id = pet.ID().ToIDPtrOutput()
		} else {
			id = orNull((*pulumi.ID)(nil)).(pulumi.IDPtrOutput)
		}
		ctx.Export("j", id.ApplyT(func(value *pulumi.ID) (*pulumi.ID, error) {
			j, err := singleOrNone([]*pulumi.ID{value})
			if err != nil {
				return nil, err
			}
			var j2 *pulumi.ID
			if j != nil {
				j2 = *j
			}
			return j2, nil
		}))
		return nil
	})
}

// orNull returns an output in which a list or a map that is nil is null; the SDK makes it empty.
func orNull[T any](value T) pulumi.Output {
	return pulumi.Int(0).ToIntOutput().ApplyT(func(int) T { return value })
}

// singleOrNone returns the only element of a list, or nil when it is empty.
func singleOrNone[T any](items []T) (*T, error) {
	if len(items) > 1 {
		return nil, fmt.Errorf("expected at most one element, found %d", len(items))
	}
	if len(items) == 0 {
		return nil, nil
	}
	return &items[0], nil
}
