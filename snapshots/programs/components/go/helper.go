package main

import (
	"errors"
	"reflect"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type helperArgs struct {
	Owner string `pulumi:"owner"`
}

// HelperArgs are the inputs of Helper.
type HelperArgs struct {
	Owner pulumi.StringInput
}

func (HelperArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*helperArgs)(nil)).Elem()
}

type Helper struct {
	pulumi.ResourceState

	Greeting pulumi.StringOutput `pulumi:"greeting"`
}

// NewHelper registers the component and the resources inside it.
func NewHelper(
	ctx *pulumi.Context, name string, args *HelperArgs, opts ...pulumi.ResourceOption,
) (*Helper, error) {
	if args == nil {
		args = &HelperArgs{}
	}
	component := &Helper{}
	err := ctx.RegisterComponentResourceV2(
		"components:index:Helper",
		name,
		args,
		component,
		opts...,
	)
	if err != nil {
		return nil, err
	}

	if args.Owner == nil {
		return nil, errors.New("missing required argument \"owner\"")
	}

	thing, err := probe.NewThing(ctx, name+"-thing", &probe.ThingArgs{
		Label: args.Owner.ToStringOutput(),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Greeting = pulumi.Sprintf("helper of %s", thing.Out)

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"greeting": component.Greeting}); err != nil {
		return nil, err
	}
	return component, nil
}
