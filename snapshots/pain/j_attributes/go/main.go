package main

import (
	"encoding/json"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		createJSON, err := json.Marshal(map[string]any{"a": 1})
		if err != nil {
			return err
		}
		deleteJSON, err := json.Marshal(map[string]any{"b": 2})
		if err != nil {
			return err
		}
		dataJSON, err := json.Marshal([]any{"x"})
		if err != nil {
			return err
		}
		first, err := local.NewCommand(ctx, "first", &local.CommandArgs{
			Create:      pulumi.String(string(createJSON)),
			Delete:      pulumi.String(string(deleteJSON)),
			Environment: pulumi.StringMap{"DATA": pulumi.String(string(dataJSON))},
		})
		if err != nil {
			return err
		}

		deleteJSON2, err := json.Marshal(map[string]any{"c": 3})
		if err != nil {
			return err
		}
		_, err = local.NewCommand(ctx, "second", &local.CommandArgs{
			Create: pulumi.JSONMarshal(map[string]any{
				"first": first.Stdout,
				"list":  []any{first.Stderr},
			}),
			Delete: pulumi.String(string(deleteJSON2)),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
