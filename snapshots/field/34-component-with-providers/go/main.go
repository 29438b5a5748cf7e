package main

import (
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		token := cfg.RequireSecret("token")

		acme, err := github.NewProvider(ctx, "acme", &github.ProviderArgs{
			Owner: pulumi.String("acme"),
			Token: token,
		})
		if err != nil {
			return err
		}

		platform, err := github.NewRepository(ctx, "platform", &github.RepositoryArgs{
			Name: pulumi.String("platform"),
		}, pulumi.Provider(acme))
		if err != nil {
			return err
		}

		service, err := NewService(ctx, "service", &ServiceArgs{
			ServiceName: pulumi.String("billing"),
			Template:    platform.Name,
		}, pulumi.Providers(acme), pulumi.DependsOn([]pulumi.Resource{platform}), pulumi.Protect(true))
		if err != nil {
			return err
		}

		other, err := NewService(ctx, "other", &ServiceArgs{
			ServiceName: pulumi.String("shipping"),
			Template:    platform.Name,
		}, pulumi.Parent(platform), pulumi.ProviderMap(map[string]pulumi.ProviderResource{"github": acme}))
		if err != nil {
			return err
		}

		ctx.Export("clone", service.CloneUrl)
		ctx.Export("otherKey", other.DeployKey)
		return nil
	})
}
