// `[*]` over something that is no list: a list of that one thing, or of nothing.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		if err := cfg.TryObject(
			"server",
			requireMembers(&server, "splat-one.pp:3:8: server", "name"),
		); errors.Is(err, config.ErrMissingVar) {
			server = Server{Name: "a"}
		} else if err != nil {
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
			missing = pulumi.Array{pulumi.StringPtrFromPtr(maybe)}
		}
		ctx.Export("missing", missing)
		ctx.Export("eventual", thing.Obj.ApplyT(func(obj *probe.Item) []string {
			if obj == nil {
				return []string{}
			}
			var eventual2 *string
			if obj != nil {
				eventual2 = &obj.S
			}
			return []string{*eventual2}
		}))
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
