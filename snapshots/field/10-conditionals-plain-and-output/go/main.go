package main

import (
	"errors"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		isProduction, err := cfg.TryBool("isProduction")
		if err != nil && !errors.Is(err, config.ErrMissingVar) {
			return err
		}

		size := cfg.Get("size")

		count, err := cfg.TryInt("count")
		if errors.Is(err, config.ErrMissingVar) {
			count = 3
		} else if err != nil {
			return err
		}

		nodeSize := "s-1vcpu-1gb"
		if isProduction {
			nodeSize = "s-4vcpu-8gb"
		} else if size != "" {
			nodeSize = size
		}

		nodes := 1
		if isProduction {
			nodes = max(count, 3)
		}

		length := 16
		if isProduction {
			length = 32
		}
		minSpecial := 0
		if isProduction {
			minSpecial = 2
		}
		password, err := random.NewRandomPassword(ctx, "password", &random.RandomPasswordArgs{
			Length:     pulumi.Int(length),
			Special:    pulumi.Bool(isProduction),
			MinSpecial: pulumi.Int(minSpecial),
		}, pulumi.Protect(isProduction))
		if err != nil {
			return err
		}

		var labels map[string]string
		if isProduction {
			labels = map[string]string{"tier": "prod"}
		} else {
			labels = map[string]string{"tier": "dev"}
		}
		tags := []string{}
		if isProduction {
			tags = []string{"prod", "audited"}
		}
		pool, err := digitalocean.NewKubernetesNodePool(ctx, "pool", &digitalocean.KubernetesNodePoolArgs{
			ClusterId: pulumi.String("c0ffee"),
			Size:      pulumi.String(nodeSize),
			NodeCount: pulumi.Int(nodes),
			Labels:    pulumi.ToStringMap(labels),
			Tags:      pulumi.ToStringArray(tags),
		})
		if err != nil {
			return err
		}

		var events []string
		if isProduction {
			events = []string{"push", "release"}
		} else {
			events = []string{"push"}
		}
		_, err = github.NewRepositoryWebhook(ctx, "hook", &github.RepositoryWebhookArgs{
			Repository: pulumi.String("shop"),
			Events:     pulumi.ToStringArray(events),
			Active: pool.AutoScale.ApplyT(func(autoScale *bool) bool {
				return autoScale == nil || !*autoScale
			}).(pulumi.BoolOutput),
			Configuration: &github.RepositoryWebhookConfigurationArgs{
				Url: pool.NodeCount.ApplyT(func(nodeCount *int) string {
					part := "multi"
					if nodeCount != nil && *nodeCount == 1 {
						part = "single"
					}
					return "https://ci.example.com/" + part
				}).(pulumi.StringOutput),
				Secret: password.Length.ApplyT(func(value int) pulumi.StringOutput {
					if value > 20 {
						return password.Result
					}
					return pulumi.String("weak").ToStringOutput()
				}).(pulumi.StringOutput),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("kind", password.Special.ApplyT(func(special bool) string {
			if special {
				return "special"
			}
			return "simple"
		}))
		ctx.Export("label", pulumi.All(pool.Size, pool.Name).ApplyT(func(args []any) string {
			sizeValue := args[0].(string)
			name := args[1].(string)
			if sizeValue == "s-4vcpu-8gb" {
				return name
			}
			return "small-" + name
		}))
		return nil
	})
}
