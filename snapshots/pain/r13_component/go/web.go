package main

import (
	"errors"
	"reflect"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type webArgs struct {
	Prefix string   `pulumi:"prefix"`
	Tags   []string `pulumi:"tags"`
	Cfg    Cfg      `pulumi:"cfg"`
	Size   *float64 `pulumi:"size"`
}

// WebArgs are the inputs of Web.
type WebArgs struct {
	Prefix string
	Tags   pulumi.StringArrayInput
	Cfg    Cfg
	Size   *float64
}

func (WebArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*webArgs)(nil)).Elem()
}

type Web struct {
	pulumi.ResourceState

	PetId pulumi.IDOutput     `pulumi:"petId"`
	Lab   pulumi.StringOutput `pulumi:"lab"`
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

	if args.Tags == nil {
		return nil, errors.New("missing required argument \"tags\"")
	}

	var size float64 = 2
	if args.Size != nil {
		size = *args.Size
	}

	length, err := wholeNumber(size)
	if err != nil {
		return nil, err
	}
	pet, err := random.NewRandomPet(ctx, name+"-pet", &random.RandomPetArgs{
		Prefix: pulumi.Sprintf("%s-%s", args.Prefix, args.Cfg.Path),
		Length: pulumi.Int(length),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	inner, err := NewInner(ctx, name+"-inner", &InnerArgs{
		P: pet.ID(),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.PetId = inner.Out

	lab := "f"
	if args.Prefix == "a" {
		lab = "t"
	}
	component.Lab = pulumi.String(lab).ToStringOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"petId": component.PetId,
		"lab":   component.Lab,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
