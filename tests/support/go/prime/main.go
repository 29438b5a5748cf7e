// Package main imports what generated programs may import, so that one vet compiles it once for all.
package main

import (
	_ "github.com/pulumi/pulumi-command/sdk/go/command/local"
	_ "github.com/pulumi/pulumi-command/sdk/go/command/remote"
	_ "github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	_ "github.com/pulumi/pulumi-github/sdk/v6/go/github"
	_ "github.com/pulumi/pulumi-random/sdk/v4/go/random"
	_ "github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {}
