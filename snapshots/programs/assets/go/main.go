// Files and texts to hand over.

package main

import (
	"fmt"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		folder, err := cfg.Try("folder")
		if err != nil {
			folder = "site"
		}

		file, err := probe.NewThing(ctx, "file", &probe.ThingArgs{
			Asset: pulumi.NewFileAsset("index.html"),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "text", &probe.ThingArgs{
			Asset: file.Out.ApplyT(func(out string) pulumi.AssetOrArchive {
				return pulumi.NewStringAsset(fmt.Sprintf("<p>%s</p>", out))
			}).(pulumi.AssetOrArchiveOutput),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "remote", &probe.ThingArgs{
			Asset: pulumi.NewRemoteAsset("https://example.com/logo.png"),
		})
		if err != nil {
			return err
		}

		_, err = probe.NewThing(ctx, "packed", &probe.ThingArgs{
			Any: pulumi.NewAssetArchive(map[string]any{
				"index.html": pulumi.NewStringAsset("<p>hello</p>"),
				"pages":      pulumi.NewFileArchive("./" + folder),
				"more":       pulumi.NewRemoteArchive("https://example.com/more.zip"),
			}),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
