// Command mocked uses stand-in SDKs with a mocked engine, and prints what reaches the engine and what comes back.
package main

import (
	"fmt"
	"sync"

	"example.com/pulumi-call/sdk/v15/go/call"
	"example.com/pulumi-component/sdk/v13/go/component"
	"example.com/pulumi-configurer/sdk/v38/go/configurer"
	"example.com/pulumi-multi-argument-invoke/sdk/v44/go/multiargumentinvoke"
	"example.com/pulumi-nestedcollections/sdk/v50/go/nestedcollections"
	"example.com/pulumi-primitive-defaults/sdk/v8/go/primitivedefaults"
	"example.com/pulumi-read/sdk/v39/go/read"
	"example.com/pulumi-scalar-returns/sdk/v21/go/scalarreturns"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type engine struct{ sync.Mutex }

func (e *engine) say(format string, values ...any) {
	e.Lock()
	defer e.Unlock()
	fmt.Printf(format+"\n", values...)
}

func (e *engine) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	e.say("new %s %s %v", args.TypeToken, args.ID, args.Inputs.Mappable())
	return args.Name + "-id", args.Inputs, nil
}

func (e *engine) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	delete(args.Args, "__self__")
	e.say("call %s %v", args.Token, args.Args.Mappable())
	if args.Token == "scalar-returns:index:invokeArray" {
		return resource.NewPropertyMapFromMap(map[string]any{"whatever": []any{true, false}}), nil
	}
	return resource.NewPropertyMapFromMap(map[string]any{"result": "done", "res": 7}), nil
}

func (e *engine) MethodCall(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return e.Call(args)
}

// show prints a value that comes later; what is exported is waited for.
func (e *engine) show(ctx *pulumi.Context, name string, output pulumi.Output) {
	ctx.Export(name, output.ApplyT(func(value any) string {
		e.say("%s = %v", name, value)
		return name
	}))
}

func main() {
	e := &engine{}
	err := pulumi.RunErr(func(ctx *pulumi.Context) error { return program(ctx, e) }, pulumi.WithMocks("p", "s", e))
	if err != nil {
		e.say("failed: %v", err)
	}
}

func program(ctx *pulumi.Context, e *engine) error {
	defaults, err := primitivedefaults.NewResource(ctx, "defaults", nil)
	if err != nil {
		return err
	}
	e.show(ctx, "default", defaults.String.Elem())

	deep, err := nestedcollections.NewFoo(ctx, "deep", &nestedcollections.FooArgs{
		ConditionSets: nestedcollections.BarArrayArrayArray{
			nestedcollections.BarArrayArray{
				nestedcollections.BarArray{nestedcollections.BarArgs{Prop: pulumi.String("here")}},
			},
		},
	})
	if err != nil {
		return err
	}
	zero := pulumi.Int(0)
	e.show(ctx, "deep", deep.ConditionSets.Index(zero).Index(zero).Index(zero).Prop())

	if _, err := read.GetResource(ctx, "read", pulumi.ID("old"), nil); err != nil {
		return err
	}
	custom, err := component.NewCustom(ctx, "custom", &component.CustomArgs{Value: pulumi.String("v")})
	if err != nil {
		return err
	}
	args := &component.ComponentCustomRefInputOutputArgs{InputRef: custom}
	if _, err := component.NewComponentCustomRefInputOutput(ctx, "remote", args); err != nil {
		return err
	}
	if _, err := component.NewCustom(ctx, "incomplete", nil); err != nil {
		e.say("refused: %v", err)
	}

	e.show(ctx, "positional", multiargumentinvoke.MultiArgumentInvokeOutput(ctx, pulumi.String("x"), nil).Result())
	list, err := scalarreturns.InvokeArray(ctx, &scalarreturns.InvokeArrayArgs{Value: "v"})
	if err != nil {
		return err
	}
	e.say("list %v", list)
	later := scalarreturns.InvokeArrayOutputArgs{Value: pulumi.String("w")}
	e.show(ctx, "eventual list", scalarreturns.InvokeArrayOutput(ctx, later))

	provider, err := call.NewProvider(ctx, "provider", &call.ProviderArgs{Value: pulumi.String("v")})
	if err != nil {
		return err
	}
	method, err := provider.Prefixed(ctx, &call.ProviderPrefixedArgs{Prefix: pulumi.String("pre")})
	if err != nil {
		return err
	}
	e.show(ctx, "method", method.Result())
	configured, err := configurer.NewConfigurer(ctx, "configured", &configurer.ConfigurerArgs{ProviderConfig: pulumi.String("c")})
	if err != nil {
		return err
	}
	plain, err := configured.PlainValue(ctx)
	e.say("plain method %d", plain)
	return err
}
