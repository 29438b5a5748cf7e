package main

import (
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-docker/sdk/v5/go/docker"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		euToken := cfg.RequireSecret("euToken")

		dockerHost, err := cfg.Try("dockerHost")
		if err != nil {
			dockerHost = "ssh://deploy@eu-1.example.com:22"
		}

		eu, err := digitalocean.NewProvider(ctx, "eu", &digitalocean.ProviderArgs{
			Token:        euToken,
			HttpRetryMax: pulumi.Int(6),
		})
		if err != nil {
			return err
		}

		remoteDocker, err := docker.NewProvider(ctx, "remoteDocker", &docker.ProviderArgs{
			Host: pulumi.String(dockerHost),
			SshOpts: pulumi.StringArray{
				pulumi.String("-o"),
				pulumi.String("StrictHostKeyChecking=no"),
			},
			RegistryAuth: docker.ProviderRegistryAuthArray{
				docker.ProviderRegistryAuthArgs{
					Address:  pulumi.String("registry.example.com"),
					Username: pulumi.String("robot"),
					Password: euToken,
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewVpc(ctx, "vpc", &digitalocean.VpcArgs{
			Region: pulumi.String("fra1"),
		}, pulumi.Provider(eu))
		if err != nil {
			return err
		}

		nginx, err := docker.NewRemoteImage(ctx, "nginx", &docker.RemoteImageArgs{
			Name: pulumi.String("nginx:1.27"),
		}, pulumi.Provider(remoteDocker))
		if err != nil {
			return err
		}

		web, err := docker.NewContainer(ctx, "web", &docker.ContainerArgs{
			Image: nginx.RepoDigest,
			Ports: docker.ContainerPortArray{
				docker.ContainerPortArgs{
					Internal: pulumi.Int(80),
					External: pulumi.Int(8080),
				},
			},
		}, pulumi.Provider(remoteDocker), pulumi.Parent(nginx))
		if err != nil {
			return err
		}

		_, err = random.NewRandomPet(ctx, "pinned", &random.RandomPetArgs{
			Length: pulumi.Int(3),
		}, pulumi.Version("4.21.1"), pulumi.PluginDownloadURL("https://plugins.example.com/random"))
		if err != nil {
			return err
		}

		ctx.Export("host", remoteDocker.Host)

		effectiveConfig, err := eu.TerraformConfig(ctx)
		if err != nil {
			return err
		}
		ctx.Export("effectiveConfig", effectiveConfig.Result())

		ctx.Export("ip", web.NetworkDatas.Index(pulumi.Int(0)).IpAddress())
		return nil
	})
}
