package main

import (
	"reflect"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type webArgs struct {
	Prefix string `pulumi:"prefix"`
}

// WebArgs are the inputs of Web.
type WebArgs struct {
	Prefix string
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

	pet, err := random.NewRandomPet(ctx, name+"-pet", &random.RandomPetArgs{
		Prefix: pulumi.String(args.Prefix + "-a"),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.PetId = pet.ID()

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
