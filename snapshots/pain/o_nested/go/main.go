package main

import (
	"fmt"

	"github.com/pulumi/pulumi-command/sdk/go/command/remote"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Host struct {
	HostName   string `json:"hostName" pulumi:"hostName"`
	PortNumber int    `json:"portNumber" pulumi:"portNumber"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var hosts []Host
		cfg.RequireObject("hosts", &hosts)
		var givenHosts []map[string]any
		cfg.RequireObject("hosts", &givenHosts)
		for index, hostValue := range givenHosts {
			place := fmt.Sprintf("main.pp:1:8: hosts[%d]", index)
			if err := requireMembers(hostValue, place, "hostName", "portNumber"); err != nil {
				return err
			}
		}

		host, err := remote.NewCommand(ctx, "host", &remote.CommandArgs{
			Create: pulumi.String("uptime"),
			Connection: &remote.ConnectionArgs{
				Host:               pulumi.String(hosts[0].HostName),
				Port:               pulumi.Float64(float64(hosts[0].PortNumber)),
				PrivateKeyPassword: pulumi.String("secret"),
				Proxy: &remote.ProxyConnectionArgs{
					Host:           pulumi.String("bastion"),
					DialErrorLimit: pulumi.Int(3),
				},
			},
			Environment: pulumi.StringMap{
				"MY_KEY":    pulumi.String("1"),
				"camelCase": pulumi.String("2"),
				"with-dash": pulumi.String(hosts[0].HostName),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("camel", host.Environment.MapIndex(pulumi.String("camelCase")))
		ctx.Export("keys", pulumi.Map{
			"MY_KEY":    pulumi.Int(1),
			"nestedMap": pulumi.StringMap{"innerKey": host.Stdout},
		})
		return nil
	})
}

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
