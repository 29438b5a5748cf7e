// `[*]` over something that is no list: a list of that one thing, or of nothing.

package main

import (
	"errors"
	"fmt"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Server struct {
	Name string `json:"name" pulumi:"name"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var server Server
		if err := cfg.TryObject("server", &server); errors.Is(err, config.ErrMissingVar) {
			server = Server{Name: "a"}
		} else if err != nil {
			return err
		}
		var givenServer map[string]any
		cfg.GetObject("server", &givenServer)
		if err := requireMembers(givenServer, "splat-one.pp:3:8: server", "name"); err != nil {
			return err
		}

		var maybe *string
		if value, err := cfg.Try("maybe"); err == nil {
			maybe = &value
		}

		thing, err := probe.NewThing(ctx, "thing", nil)
		if err != nil {
			return err
		}

		ctx.Export("plain", pulumi.StringArray{pulumi.String(server.Name)})

		var missing pulumi.Input
		if maybe == nil {
			missing = pulumi.Array{}
		} else {
			missing = pulumi.Array{pulumi.String(*maybe)}
		}
		ctx.Export("missing", missing)

		ctx.Export("eventual", thing.Obj.ApplyT(func(obj *probe.Item) []string {
			if obj == nil {
				return []string{}
			}
			var eventual *string
			if obj != nil {
				eventual = &obj.S
			}
			return []string{*eventual}
		}))
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
