package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		c, err := local.NewCommand(ctx, "c", &local.CommandArgs{
			Create:       pulumi.String("echo"),
			AssetPaths:   pulumi.StringArray{pulumi.String("*.txt")},
			ArchivePaths: pulumi.StringArray{},
			Environment: pulumi.StringMap{
				"A":   pulumi.String("b"),
				"x-y": pulumi.String("1"),
			},
			Triggers: pulumi.Array{
				pulumi.String("a"),
				pulumi.Int(1),
				pulumi.Bool(true),
				pulumi.IntArrayMap{"k": pulumi.IntArray{pulumi.Int(1)}},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("a", c.Stdout)
		ctx.Export("f", pulumi.NewFileAsset("./x.txt"))
		ctx.Export("g", pulumi.NewRemoteAsset("https://x/y"))
		ctx.Export("h", pulumi.NewAssetArchive(map[string]any{"a": pulumi.NewStringAsset("x")}))
		return nil
	})
}
