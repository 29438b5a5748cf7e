package main

import (
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type webArgs struct {
	A Keys  `pulumi:"a"`
	B Kinds `pulumi:"b"`
}

// WebArgs are the inputs of Web.
type WebArgs struct {
	A Keys
	B Kinds
}

func (WebArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*webArgs)(nil)).Elem()
}

type Web struct {
	pulumi.ResourceState

	Shown pulumi.ArrayOutput `pulumi:"shown"`
}

// NewWeb registers the component and the resources inside it.
func NewWeb(
	ctx *pulumi.Context, name string, args *WebArgs, opts ...pulumi.ResourceOption,
) (*Web, error) {
	if args == nil {
		args = &WebArgs{}
	}
	component := &Web{}
	err := ctx.RegisterComponentResourceV2("components:index:Web", name, args, component, opts...)
	if err != nil {
		return nil, err
	}

	component.Shown = pulumi.ToArray([]any{
		args.A.Class,
		args.A.From,
		args.A.With_space,
		args.A.Xx,
		args.A.Str,
		args.A.Port,
		args.B,
	}).ToArrayOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"shown": component.Shown}); err != nil {
		return nil, err
	}
	return component, nil
}
