package main

import (
	"encoding/json"
	"errors"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var principals []string
		if err := cfg.TryObject("principals", &principals); errors.Is(err, config.ErrMissingVar) {
			principals = []string{"alice", "bob"}
		} else if err != nil {
			return err
		}

		bucket, err := digitalocean.NewSpacesBucket(ctx, "bucket", &digitalocean.SpacesBucketArgs{
			Region: pulumi.String(digitalocean.RegionNYC3),
		})
		if err != nil {
			return err
		}

		value := make([]string, 0, len(principals))
		for _, p := range principals {
			value = append(value, "user/"+p)
		}
		_, err = digitalocean.NewSpacesBucketPolicy(ctx, "policy", &digitalocean.SpacesBucketPolicyArgs{
			Bucket: bucket.Name,
			Region: pulumi.String("nyc3"),
			Policy: pulumi.JSONMarshal(map[string]any{
				"Version": "2012-10-17",
				"Statement": []any{
					map[string]any{
						"Sid":       "IPAllow",
						"Effect":    "Deny",
						"Principal": "*",
						"Action":    "s3:*",
						"Resource": []any{
							pulumi.Sprintf("arn:aws:s3:::%s", bucket.Name),
							pulumi.Sprintf("arn:aws:s3:::%s/*", bucket.Name),
						},
						"Condition": map[string]any{
							"NotIpAddress": map[string]any{"aws:SourceIp": "54.240.143.0/24"},
							"StringEquals": map[string]any{"s3:x-amz-acl": []any{"public-read"}},
						},
					},
					map[string]any{
						"Effect":    "Allow",
						"Principal": value,
						"Action":    []any{"s3:GetObject"},
						"Resource":  bucket.BucketUrn,
					},
				},
			}),
		})
		if err != nil {
			return err
		}

		_, err = github.NewRepositoryFile(ctx, "settings", &github.RepositoryFileArgs{
			Repository: pulumi.String("shop"),
			File:       pulumi.String("settings.json"),
			Content: pulumi.JSONMarshal(map[string]any{
				"bucket":   bucket.Name,
				"endpoint": bucket.Endpoint,
				"debug":    false,
				"retries":  3,
				"ratio":    0.5,
				"none":     nil,
				"nested": map[string]any{
					"list": []any{1, 2, 3},
					"urn":  bucket.BucketUrn,
				},
			}),
		})
		if err != nil {
			return err
		}

		documentJSON, err := json.Marshal(map[string]any{
			"a":   1,
			"b-c": []any{true, "x"},
		})
		if err != nil {
			return err
		}
		ctx.Export("document", pulumi.String(string(documentJSON)))
		return nil
	})
}
