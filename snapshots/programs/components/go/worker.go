// A worker: a thing, its parts and its helper.

package main

import (
	"errors"
	"fmt"
	"reflect"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type workerArgs struct {
	Label string `pulumi:"label"`
	Seed  string `pulumi:"seed"`
	Size  *int   `pulumi:"size"`
}

// WorkerArgs are the inputs of Worker.
type WorkerArgs struct {
	// What the worker is called
	Label string
	Seed  pulumi.StringInput
	Size  pulumi.IntPtrInput
}

func (WorkerArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*workerArgs)(nil)).Elem()
}

type Worker struct {
	pulumi.ResourceState

	Name     pulumi.StringOutput      `pulumi:"name"`
	Parts    pulumi.StringArrayOutput `pulumi:"parts"`
	Greeting pulumi.StringOutput      `pulumi:"greeting"`
}

// NewWorker registers the component and the resources inside it.
func NewWorker(
	ctx *pulumi.Context, name string, args *WorkerArgs, opts ...pulumi.ResourceOption,
) (*Worker, error) {
	if args == nil {
		args = &WorkerArgs{}
	}
	component := &Worker{}
	err := ctx.RegisterComponentResourceV2(
		"components:index:Worker",
		name,
		args,
		component,
		opts...,
	)
	if err != nil {
		return nil, err
	}

	if args.Seed == nil {
		return nil, errors.New("missing required argument \"seed\"")
	}

	size := args.Size
	if size == nil {
		size = pulumi.Int(1)
	}

	thing, err := probe.NewThing(ctx, name+"-thing", &probe.ThingArgs{
		Label: pulumi.Sprintf("%s/%s", args.Label, args.Seed),
		Size:  size,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	var part []*probe.Thing
	for i := range 2 {
		thing2, err := probe.NewThing(ctx, fmt.Sprintf("%s-part-%d", name, i), &probe.ThingArgs{
			Label: pulumi.Sprintf("%s part %d", args.Label, i),
		}, pulumi.Parent(component))
		if err != nil {
			return nil, err
		}
		part = append(part, thing2)
	}

	helper, err := NewHelper(ctx, name+"-helper", &HelperArgs{
		Owner: thing.Out,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.Name = thing.Out

	parts := make(pulumi.StringArray, 0, len(part))
	for _, item := range part {
		parts = append(parts, item.Out)
	}
	component.Parts = parts.ToStringArrayOutput()

	component.Greeting = pulumi.Sprintf("hello %s", helper.Greeting)

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"name":     component.Name,
		"parts":    component.Parts,
		"greeting": component.Greeting,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
