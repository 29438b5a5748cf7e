module pets

go 1.25.8

require (
	github.com/pulumi/pulumi-random/sdk/v4 v4.21.1
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)
