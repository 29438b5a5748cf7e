module aws-lambda-api

go 1.25.8

require (
	github.com/pulumi/pulumi-aws/sdk/v7 v7.48.0
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)
