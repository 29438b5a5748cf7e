package main

import (
	"errors"
	"reflect"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type innerArgs struct {
	P string `pulumi:"p"`
}

// InnerArgs are the inputs of Inner.
type InnerArgs struct {
	P pulumi.StringInput
}

func (InnerArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*innerArgs)(nil)).Elem()
}

type Inner struct {
	pulumi.ResourceState

	Out pulumi.IDOutput `pulumi:"out"`
}

// NewInner registers the component and the resources inside it.
func NewInner(
	ctx *pulumi.Context, name string, args *InnerArgs, opts ...pulumi.ResourceOption,
) (*Inner, error) {
	if args == nil {
		args = &InnerArgs{}
	}
	component := &Inner{}
	err := ctx.RegisterComponentResourceV2("components:index:Inner", name, args, component, opts...)
	if err != nil {
		return nil, err
	}

	if args.P == nil {
		return nil, errors.New("missing required argument \"p\"")
	}

	pet, err := random.NewRandomPet(ctx, name+"-pet", &random.RandomPetArgs{
		Prefix: args.P.ToStringOutput(),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Out = pet.ID()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"out": component.Out}); err != nil {
		return nil, err
	}
	return component, nil
}
