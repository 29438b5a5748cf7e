package main

import (
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		environment, err := cfg.Try("environment")
		if err != nil {
			environment = "staging"
		}

		keyName := "computed"

		id, err := random.NewRandomId(ctx, "id", &random.RandomIdArgs{
			ByteLength: pulumi.Int(8),
			Keepers: pulumi.StringMap{
				"app.kubernetes.io/name": pulumi.String("shop"),
				"with space":             pulumi.String("1"),
				"dash-key":               pulumi.String("2"),
				"quote\"inside":          pulumi.String("3"),
				"123":                    pulumi.String("4"),
				"class":                  pulumi.String("5"),
				"":                       pulumi.String("6"),
				"ünïcode":                pulumi.String("7"),
				"snake_key":              pulumi.String("8"),
				"camelKey":               pulumi.String("9"),
				environment + "/suffix":  pulumi.String("10"),
				keyName:                  pulumi.String("11"),
			},
		})
		if err != nil {
			return err
		}

		object, err := digitalocean.NewSpacesBucketObject(ctx, "object", &digitalocean.SpacesBucketObjectArgs{
			Bucket:  pulumi.String("assets"),
			Key:     pulumi.String("index.html"),
			Region:  pulumi.String("nyc3"),
			Content: pulumi.String("<html></html>"),
			Metadata: pulumi.StringMap{
				"x-amz-meta-owner": pulumi.String("web-team"),
				"Cache.Control":    pulumi.String("none"),
				"$weird":           pulumi.String("yes"),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("owner", object.Metadata.MapIndex(pulumi.String("x-amz-meta-owner")))
		ctx.Export("mapOut", pulumi.Map{
			"first-key":  id.Hex,
			"second.key": id.Dec,
			"thirdKey":   pulumi.StringMap{"nested key": id.B64Url},
		})
		return nil
	})
}
