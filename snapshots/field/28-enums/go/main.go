package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-command/sdk/go/command/remote"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-docker/sdk/v5/go/docker"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		web, err := digitalocean.NewDroplet(ctx, "web", &digitalocean.DropletArgs{
			Image:  pulumi.String("ubuntu-24-04-x64"),
			Region: pulumi.String(digitalocean.RegionNYC3),
			Size:   pulumi.String(digitalocean.DropletSlugDropletS2VCPU2GB),
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewVolume(ctx, "disk", &digitalocean.VolumeArgs{
			Region:                pulumi.String(digitalocean.RegionNYC3),
			Size:                  pulumi.Int(100),
			InitialFilesystemType: pulumi.String(digitalocean.FileSystemTypeEXT4),
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewDnsRecord(ctx, "mx", &digitalocean.DnsRecordArgs{
			Domain:   pulumi.String("example.com"),
			Type:     pulumi.String(digitalocean.RecordTypeMX),
			Name:     pulumi.String("@"),
			Priority: pulumi.Int(10),
			Value:    pulumi.String("mail.example.com."),
		})
		if err != nil {
			return err
		}

		cert, err := digitalocean.NewCertificate(ctx, "cert", &digitalocean.CertificateArgs{
			Type:    pulumi.String(digitalocean.CertificateTypeLetsEncrypt),
			Domains: pulumi.StringArray{pulumi.String("example.com")},
		})
		if err != nil {
			return err
		}

		_, err = docker.NewImage(ctx, "image", &docker.ImageArgs{
			ImageName: pulumi.String("registry.example.com/web:latest"),
			Build: &docker.DockerBuildArgs{
				Context:        pulumi.String("."),
				BuilderVersion: docker.BuilderVersionBuilderBuildKit,
				Platform:       pulumi.String("linux/amd64"),
				Args:           pulumi.StringMap{"VERSION": pulumi.String("1")},
				CacheFrom: &docker.CacheFromArgs{
					Images: pulumi.StringArray{pulumi.String("registry.example.com/web:cache")},
				},
			},
		})
		if err != nil {
			return err
		}

		quiet, err := local.NewCommand(ctx, "quiet", &local.CommandArgs{
			Create:  pulumi.String("make secret"),
			Logging: local.LoggingNone,
		})
		if err != nil {
			return err
		}

		_, err = remote.NewCommand(ctx, "loud", &remote.CommandArgs{
			Create:     pulumi.String("uptime"),
			Logging:    remote.LoggingStdoutAndStderr,
			Connection: &remote.ConnectionArgs{Host: web.Ipv4Address},
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewLoadBalancer(ctx, "balancer", &digitalocean.LoadBalancerArgs{
			Region: pulumi.String(digitalocean.RegionNYC3),
			ForwardingRules: digitalocean.LoadBalancerForwardingRuleArray{
				digitalocean.LoadBalancerForwardingRuleArgs{
					EntryPort:       pulumi.Int(443),
					EntryProtocol:   pulumi.String("https"),
					TargetPort:      pulumi.Int(80),
					TargetProtocol:  pulumi.String("http"),
					CertificateName: cert.Name,
				},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("region", web.Region)
		ctx.Export("logging", quiet.Logging)
		return nil
	})
}
