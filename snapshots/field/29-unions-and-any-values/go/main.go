package main

import (
	"encoding/json"
	"fmt"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-std/sdk/v2/go/std"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		region, err := cfg.Try("region")
		if err != nil {
			region = "sfo3"
		}

		var anything any
		if text := cfg.Require("anything"); json.Unmarshal([]byte(text), &anything) != nil {
			anything = text
		}

		pools := []string{"s-1vcpu-2gb", "custom-slug"}

		var node []*digitalocean.Droplet
		for i, pool := range pools {
			droplet, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("node-%d", i), &digitalocean.DropletArgs{
				Image:  pulumi.String("ubuntu-24-04-x64"),
				Size:   pulumi.String(pool),
				Region: pulumi.String(region),
			})
			if err != nil {
				return err
			}
			node = append(node, droplet)
		}

		var initialFilesystemType string
		if region == "sfo3" {
			initialFilesystemType = string(digitalocean.FileSystemTypeXFS)
		} else {
			initialFilesystemType = string(digitalocean.FileSystemTypeEXT4)
		}
		volume, err := digitalocean.NewVolume(ctx, "volume", &digitalocean.VolumeArgs{
			Region:                node[0].Region,
			Size:                  pulumi.Int(50),
			InitialFilesystemType: pulumi.String(initialFilesystemType),
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "run", &local.CommandArgs{
			Create: pulumi.String("echo hi"),
			Triggers: pulumi.Array{
				pulumi.Int(1),
				pulumi.String("two"),
				pulumi.Bool(true),
				nil,
				pulumi.Array{volume.ID(), pulumi.Int(4)},
				pulumi.Map{
					"key":  node[1].Name,
					"deep": pulumi.BoolMap{"flag": pulumi.Bool(false)},
				},
				volume.Size,
			},
		})
		if err != nil {
			return err
		}

		stash, err := pulumi.NewStash(ctx, "stash", &pulumi.StashArgs{
			Input: pulumi.Map{
				"list":   pulumi.Array{pulumi.Int(1), pulumi.String("a"), volume.ID()},
				"object": pulumi.Map{"nested": pulumi.Any(anything)},
				"text":   pulumi.String("x"),
			},
		})
		if err != nil {
			return err
		}

		decoded := std.JsondecodeOutput(ctx, std.JsondecodeOutputArgs{
			Input: pulumi.String("{\"a\":{\"b\":[1,2]}}"),
		}).Result()

		ctx.Export("viaAny", pulumi.Any(anything.(map[string]any)["some"].(map[string]any)["path"]))
		ctx.Export("decoded", decoded)
		ctx.Export("stashed", stash.Output)
		return nil
	})
}
