package main

import (
	"errors"
	"reflect"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type partArgs struct {
	Env string `pulumi:"env"`
}

// PartArgs are the inputs of Part.
type PartArgs struct {
	Env pulumi.StringInput
}

func (PartArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*partArgs)(nil)).Elem()
}

type Part struct {
	pulumi.ResourceState

	Summary pulumi.StringMapOutput `pulumi:"summary"`
}

// NewPart registers the component and the resources inside it.
func NewPart(
	ctx *pulumi.Context, name string, args *PartArgs, opts ...pulumi.ResourceOption,
) (*Part, error) {
	if args == nil {
		args = &PartArgs{}
	}
	component := &Part{}
	err := ctx.RegisterComponentResourceV2("components:index:Part", name, args, component, opts...)
	if err != nil {
		return nil, err
	}

	if args.Env == nil {
		return nil, errors.New("missing required argument \"env\"")
	}

	pet, err := random.NewRandomPet(ctx, name+"-pet", &random.RandomPetArgs{
		Prefix: pulumi.Sprintf("%s-x", args.Env),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Summary = pulumi.StringMap{
		"kind": args.Env.ToStringOutput().ApplyT(func(env string) string {
			if env == "prd" {
				return "large"
			}
			return "small"
		}).(pulumi.StringOutput),
		"label": pet.ID(),
	}.ToStringMapOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"summary": component.Summary}); err != nil {
		return nil, err
	}
	return component, nil
}
