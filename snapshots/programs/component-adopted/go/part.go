package main

import (
	"errors"
	"reflect"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type partArgs struct {
	Label string `pulumi:"label"`
}

// PartArgs are the inputs of Part.
type PartArgs struct {
	Label pulumi.StringInput
}

func (PartArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*partArgs)(nil)).Elem()
}

type Part struct {
	pulumi.ResourceState

	Shown pulumi.StringOutput `pulumi:"shown"`
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

	if args.Label == nil {
		return nil, errors.New("missing required argument \"label\"")
	}

	thing, err := probe.NewThing(ctx, name+"-thing", &probe.ThingArgs{
		Out: args.Label.ToStringOutput(),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Shown = thing.Out

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"shown": component.Shown}); err != nil {
		return nil, err
	}
	return component, nil
}
