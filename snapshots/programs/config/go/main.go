// Every type a setting can have, with and without a default.

package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Server struct {
	Host string   `json:"host" pulumi:"host"`
	Port int      `json:"port" pulumi:"port"`
	Tags []string `json:"tags" pulumi:"tags"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		text := cfg.Require("text")

		count, err := cfg.TryInt("count")
		if errors.Is(err, config.ErrMissingVar) {
			count = 3
		} else if err != nil {
			return err
		}

		ratio, err := cfg.TryFloat64("ratio")
		if errors.Is(err, config.ErrMissingVar) {
			ratio = 0.5
		} else if err != nil {
			return err
		}

		verbose, err := cfg.TryBool("verbose")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
			return err
		}

		var anything any = map[string]string{"mode": "auto"}
		if value, err := cfg.Try("anything"); err == nil && json.Unmarshal([]byte(value), &anything) != nil {
			anything = value
		}

		var names []string
		cfg.RequireObject("names", &names)

		var ports []int
		if err := cfg.TryObject("ports", &ports); errors.Is(err, config.ErrMissingVar) {
			ports = []int{80, 443}
		} else if err != nil {
			return err
		}

		var labels map[string]string
		if err := cfg.TryObject("labels", &labels); errors.Is(err, config.ErrMissingVar) {
			labels = map[string]string{"team": "web"}
		} else if err != nil {
			return err
		}

		var pair []any
		if err := cfg.TryObject("pair", &pair); errors.Is(err, config.ErrMissingVar) {
			pair = []any{"a", 1}
		} else if err != nil {
			return err
		}

		// Where to connect to
		var server Server
		if err := cfg.TryObject("server", &server); errors.Is(err, config.ErrMissingVar) {
			server = Server{
				Host: "localhost",
				Port: 8080,
				Tags: []string{},
			}
		} else if err != nil {
			return err
		}
		var givenServer map[string]any
		cfg.GetObject("server", &givenServer)
		if err := requireMembers(givenServer, "config.pp:37:8: server", "host", "port", "tags"); err != nil {
			return err
		}

		var maybe *string
		if value, err := cfg.Try("maybe"); err == nil {
			maybe = &value
		}

		var nothing *string
		if value, err := cfg.Try("nothing"); err == nil {
			nothing = &value
		}

		token := cfg.RequireSecret("token")

		var keysValue map[string]string
		if _, err := cfg.TrySecretObject("keys", &keysValue); errors.Is(err, config.ErrMissingVar) {
			keysValue = map[string]string{"main": "hush"}
		} else if err != nil {
			return err
		}
		keys := pulumi.ToSecret(keysValue).(pulumi.StringMapOutput)

		fromEnvironment, err := cfg.Try("from-environment")
		if err != nil {
			fromEnvironment = ctx.Stack()
		}

		ctx.Export("all", pulumi.Array{
			pulumi.String(text),
			pulumi.Int(count),
			pulumi.Float64(ratio),
			pulumi.Bool(verbose),
			pulumi.Any(anything),
			pulumi.ToStringArray(names),
			pulumi.ToIntArray(ports),
			pulumi.ToStringMap(labels),
			pulumi.ToArray(pair),
			pulumi.Any(server),
			pulumi.StringPtrFromPtr(maybe),
			pulumi.StringPtrFromPtr(nothing),
			pulumi.String(fromEnvironment),
		})
		ctx.Export("host", pulumi.Sprintf("%s:%d", server.Host, server.Port))
		ctx.Export("secrets", pulumi.Array{token, keys})
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
