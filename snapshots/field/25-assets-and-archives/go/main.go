package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/remote"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := remote.NewCopyToRemote(ctx, "upload", &remote.CopyToRemoteArgs{
			Connection: &remote.ConnectionArgs{
				Host:       pulumi.String("203.0.113.5"),
				User:       pulumi.String("root"),
				PrivateKey: pulumi.String("key"),
			},
			Source:     pulumi.NewFileAsset("./index.html"),
			RemotePath: pulumi.String("/var/www/index.html"),
		})
		if err != nil {
			return err
		}

		site, err := remote.NewCopyToRemote(ctx, "site", &remote.CopyToRemoteArgs{
			Connection: &remote.ConnectionArgs{
				Host: pulumi.String("203.0.113.5"),
				Port: pulumi.Float64(2222),
			},
			Source:     pulumi.NewFileArchive("./site"),
			RemotePath: pulumi.String("/var/www"),
			Triggers:   pulumi.Array{pulumi.NewFileAsset("./index.html"), pulumi.String("v2")},
		})
		if err != nil {
			return err
		}

		_, err = remote.NewCopyToRemote(ctx, "inline", &remote.CopyToRemoteArgs{
			Connection: &remote.ConnectionArgs{Host: pulumi.String("203.0.113.5")},
			Source:     pulumi.NewStringAsset("<h1>Hello</h1>\n"),
			RemotePath: pulumi.String("/var/www/hello.html"),
		}, pulumi.DependsOn([]pulumi.Resource{site}))
		if err != nil {
			return err
		}

		_, err = remote.NewCopyToRemote(ctx, "bundle", &remote.CopyToRemoteArgs{
			Connection: &remote.ConnectionArgs{Host: pulumi.String("203.0.113.5")},
			Source: pulumi.NewAssetArchive(map[string]any{
				"readme.txt":   pulumi.NewStringAsset("read me"),
				"app/index.js": pulumi.NewFileAsset("./index.html"),
				"lib":          pulumi.NewFileArchive("./site"),
				"remote.css":   pulumi.NewRemoteAsset("https://example.com/style.css"),
				"vendor":       pulumi.NewRemoteArchive("https://example.com/vendor.tar.gz"),
			}),
			RemotePath: pulumi.String("/srv/bundle"),
		})
		if err != nil {
			return err
		}

		ctx.Export("asset", pulumi.NewFileAsset("./index.html"))
		return nil
	})
}
