// Package main imports what the generated examples of installed packages import, so that one vet compiles it once for all.
package main

import (
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/autoscaling/v2"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/networking/v1"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/policy/v1"
	_ "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {}
