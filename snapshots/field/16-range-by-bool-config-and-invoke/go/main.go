package main

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		createBastion, err := cfg.TryBool("createBastion")
		if errors.Is(err, config.ErrMissingVar) {
			createBastion = true
		} else if err != nil {
			return err
		}

		environment, err := cfg.Try("environment")
		if err != nil {
			environment = "prod"
		}

		regions := digitalocean.GetRegionsOutput(ctx, digitalocean.GetRegionsOutputArgs{
			Filters: digitalocean.GetRegionsFilterArray{
				digitalocean.GetRegionsFilterArgs{
					Key:    pulumi.String("available"),
					Values: pulumi.StringArray{pulumi.String("true")},
				},
			},
		})
		keys := digitalocean.GetSshKeysOutput(ctx, digitalocean.GetSshKeysOutputArgs{})

		if createBastion {
			_, err = digitalocean.NewDroplet(ctx, "bastion", &digitalocean.DropletArgs{
				Name:    pulumi.String("bastion"),
				Image:   pulumi.String("debian-12-x64"),
				Size:    pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
				Region:  pulumi.String(digitalocean.RegionAMS3),
				SshKeys: pulumi.StringArray{keys.SshKeys().Index(pulumi.Int(0)).Fingerprint()},
			})
			if err != nil {
				return err
			}
		}

		if environment == "prod" {
			_, err = digitalocean.NewSpacesBucket(ctx, "audit", &digitalocean.SpacesBucketArgs{
				Region: pulumi.String(digitalocean.RegionAMS3),
			})
			if err != nil {
				return err
			}
		}

		regions.Regions().ApplyT(func(items []digitalocean.GetRegionsRegion) (any, error) {
			for i, item := range items {
				_, err := digitalocean.NewUptimeCheck(ctx, fmt.Sprintf("probe-%d", i), &digitalocean.UptimeCheckArgs{
					Name:   pulumi.String("probe-" + item.Slug),
					Target: pulumi.Sprintf("https://%s.example.com", item.Slug),
				})
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})

		perRegionRange := regions.Regions().ApplyT(func(value []digitalocean.GetRegionsRegion) int {
			return len(value)
		}).(pulumi.IntOutput)
		perRegionRange.ApplyT(func(value int) (any, error) {
			for i := range value {
				_, err := digitalocean.NewVpc(ctx, fmt.Sprintf("perRegion-%d", i), &digitalocean.VpcArgs{
					Region: regions.Regions().Index(pulumi.Int(i)).Slug(),
				})
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})

		spread, err := random.NewRandomShuffle(ctx, "spread", &random.RandomShuffleArgs{
			Inputs: pulumi.StringArray{pulumi.String("x"), pulumi.String("y")},
		})
		if err != nil {
			return err
		}

		perLetterRange := spread.Results.ApplyT(func(results []string) int { return len(results) }).(pulumi.IntOutput)
		perLetterRange.ApplyT(func(value int) (any, error) {
			for i := range value {
				_, err := random.NewRandomPet(ctx, fmt.Sprintf("perLetter-%d", i), &random.RandomPetArgs{
					Prefix: spread.Results.Index(pulumi.Int(i)),
				})
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})

		ctx.Export("regionCount", regions.Regions().ApplyT(func(value []digitalocean.GetRegionsRegion) int {
			return len(value)
		}))
		return nil
	})
}
