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

		regionsResult, err := digitalocean.GetRegions(ctx, &digitalocean.GetRegionsArgs{
			Filters: []digitalocean.GetRegionsFilter{
				{
					Key:    "available",
					Values: []string{"true"},
				},
			},
		})
		if err != nil {
			return err
		}
		regions := *regionsResult

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

		for i, region := range regions.Regions {
			_, err = digitalocean.NewUptimeCheck(ctx, fmt.Sprintf("probe-%d", i), &digitalocean.UptimeCheckArgs{
				Name:   pulumi.String("probe-" + region.Slug),
				Target: pulumi.Sprintf("https://%s.example.com", region.Slug),
			})
			if err != nil {
				return err
			}
		}

		for i := range len(regions.Regions) {
			_, err = digitalocean.NewVpc(ctx, fmt.Sprintf("perRegion-%d", i), &digitalocean.VpcArgs{
				Region: pulumi.String(regions.Regions[i].Slug),
			})
			if err != nil {
				return err
			}
		}

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

		ctx.Export("regionCount", pulumi.Int(len(regions.Regions)))
		return nil
	})
}
