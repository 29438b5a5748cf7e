// Pulumi's own runtime of Pulumi YAML, which asks the engine for schemas (the published commands ask provider plugins).
// `program ENGINE` serves the language host; `program ENGINE LOADER FOLDER TYPE` runs a component of a plugin's folder.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/server"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

func host(engine string) error {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(service *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(service, server.NewLanguageHost(engine, "", true))
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

// component registers what a plugin registers for one resource of the type, which has no inputs.
func component(engine, loader, folder, token string) error {
	template, diagnostics, err := pulumiyaml.LoadPluginTemplate(folder)
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	schemas, err := schema.NewLoaderClient(loader)
	if err != nil {
		return err
	}
	run := pulumi.RunInfo{EngineAddr: engine, MonitorAddr: engine, Project: "p", Stack: "dev", Organization: "acme"}
	ctx, err := pulumi.NewContext(context.Background(), run)
	if err != nil {
		return err
	}
	return pulumi.RunWithContext(ctx, func(ctx *pulumi.Context) error {
		packages := pulumiyaml.NewPackageLoaderFromSchemaLoader(schema.NewCachedLoader(schemas))
		_, outputs, err := pulumiyaml.RunComponentTemplate(ctx, token, "site", pulumi.Protect(false), template, nil, packages)
		for name, value := range outputs {
			ctx.Export(name, value)
		}
		return err
	})
}

func main() {
	var err error
	if len(os.Args) == 2 {
		err = host(os.Args[1])
	} else {
		err = component(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
