package main

import (
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type webArgs struct {
	A *Size   `pulumi:"a"`
	B *Size   `pulumi:"b"`
	C *Rule   `pulumi:"c"`
	D *Rule   `pulumi:"d"`
	E []Size  `pulumi:"e"`
	F *Size   `pulumi:"f"`
	G []*Size `pulumi:"g"`
	H H       `pulumi:"h"`
}

// WebArgs are the inputs of Web.
type WebArgs struct {
	A *Size
	B *Size
	C *Rule
	D *Rule
	E []Size
	F *Size
	G []*Size
	H H
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

	a := "small"
	if args.A != nil {
		a = *args.A
	}

	var c *Rule
	if args.C != nil {
		c = args.C
	} else {
		c = nil
	}

	d := Rule{
		Port:     1,
		Protocol: "tcp",
	}
	if args.D != nil {
		d = *args.D
	}

	e := []string{"small"}
	if args.E != nil {
		e = args.E
	}

	f := a
	if args.F != nil {
		f = *args.F
	}

	var b string
	if args.B == nil {
		b = "none"
	} else {
		b = *args.B
	}
	c2 := 1
	if c == nil {
		c2 = 0
	}
	component.Shown = pulumi.ToMap(map[string]any{
		"a": a,
		"b": b,
		"c": c2,
		"d": d.Port,
		"e": e,
		"f": f == "no",
		"g": args.G,
		"h": args.H,
	}).ToMapOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{"shown": component.Shown}); err != nil {
		return nil, err
	}
	return component, nil
}
