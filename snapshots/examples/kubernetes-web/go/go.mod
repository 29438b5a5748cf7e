module kubernetes-web

go 1.25.8

require (
	github.com/pulumi/pulumi-kubernetes/sdk/v4 v4.19.0
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)
