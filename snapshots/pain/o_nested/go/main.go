package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		cfg.RequireObject(
			"hosts",
			requireMembers(&hosts, "main.pp:1:8: hosts", "*/hostName", "*/portNumber"),
		)

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

// memberCheck looks at what it reads before Target gets it.
type memberCheck struct {
	Target any
	Name   string
	Paths  []string
}

// UnmarshalJSON fails when a member is not set.
func (c *memberCheck) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	for _, path := range c.Paths {
		if err := c.look(value, c.Name, strings.Split(path, "/")); err != nil {
			return err
		}
	}
	return json.Unmarshal(data, c.Target)
}

func (c *memberCheck) look(value any, place string, path []string) error {
	switch held := value.(type) {
	case []any:
		for index, item := range held {
			if err := c.look(item, fmt.Sprintf("%s[%d]", place, index), path[1:]); err != nil {
				return err
			}
		}
	case map[string]any:
		if path[0] == "*" {
			for _, key := range slices.Sorted(maps.Keys(held)) {
				if err := c.look(held[key], place+"."+key, path[1:]); err != nil {
					return err
				}
			}
			return nil
		}
		name := strings.ReplaceAll(path[0], "~1", "/")
		if len(path) > 1 {
			return c.look(held[name], place+"."+name, path[1:])
		}
		if held[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}

// requireMembers is a place for a configured value, whose members at the paths have to be set; * stands for each element.
func requireMembers(target any, name string, paths ...string) *memberCheck {
	return &memberCheck{Target: target, Name: name, Paths: paths}
}
