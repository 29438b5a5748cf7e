// The language host of Pulumi YAML, which asks the engine for schemas (the published command asks provider plugins).
package main

import (
	"fmt"
	"os"

	"github.com/pulumi/pulumi-yaml/pkg/server"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

func main() {
	engine := os.Args[1]
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(service *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(service, server.NewLanguageHost(engine, "", true))
			return nil
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(handle.Port)
	<-handle.Done
}
