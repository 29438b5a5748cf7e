package main

import (
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type webArgs struct {
	Size   Size              `pulumi:"size"`
	Level  any               `pulumi:"level"`
	Rule   Rule              `pulumi:"rule"`
	Flags  map[string]string `pulumi:"flags"`
	Sizes  []Size            `pulumi:"sizes"`
	Either any               `pulumi:"either"`
}

// WebArgs are the inputs of Web.
type WebArgs struct {
	Size   Size
	Level  any
	Rule   Rule
	Flags  map[string]string
	Sizes  []Size
	Either any
}

func (WebArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*webArgs)(nil)).Elem()
}

type Web struct {
	pulumi.ResourceState

	Shown pulumi.MapOutput `pulumi:"shown"`
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

	component.Shown = pulumi.ToMap(map[string]any{
		"size":   args.Size,
		"level":  args.Level,
		"rule":   args.Rule,
		"flags":  args.Flags,
		"sizes":  args.Sizes,
		"either": args.Either,
	}).ToMapOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"shown": component.Shown}); err != nil {
		return nil, err
	}
	return component, nil
}
