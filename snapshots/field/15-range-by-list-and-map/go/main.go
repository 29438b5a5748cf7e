package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-github/sdk/v6/go/github"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var buckets []string
		if err := cfg.TryObject("buckets", &buckets); errors.Is(err, config.ErrMissingVar) {
			buckets = []string{"logs", "media"}
		} else if err != nil {
			return err
		}

		var records map[string]string
		if err := cfg.TryObject("records", &records); errors.Is(err, config.ErrMissingVar) {
			records = map[string]string{
				"www":  "203.0.113.10",
				"mail": "203.0.113.11",
			}
		} else if err != nil {
			return err
		}

		zone := "example.org"

		domain, err := digitalocean.NewDomain(ctx, "domain", &digitalocean.DomainArgs{
			Name: pulumi.String(zone),
		})
		if err != nil {
			return err
		}

		var bucket []*digitalocean.SpacesBucket
		for i, value := range buckets {
			acl := "public-read"
			if i == 0 {
				acl = "private"
			}
			spacesBucket, err := digitalocean.NewSpacesBucket(ctx, fmt.Sprintf("bucket-%d", i), &digitalocean.SpacesBucketArgs{
				Name:   pulumi.String("acme-" + value),
				Region: pulumi.String(digitalocean.RegionAMS3),
				Acl:    pulumi.String(acl),
			})
			if err != nil {
				return err
			}
			bucket = append(bucket, spacesBucket)
		}

		record := map[string]*digitalocean.DnsRecord{}
		for _, key := range slices.Sorted(maps.Keys(records)) {
			value := records[key]
			dnsRecord, err := digitalocean.NewDnsRecord(ctx, fmt.Sprintf("record-%s", key), &digitalocean.DnsRecordArgs{
				Domain: domain.Name,
				Type:   pulumi.String(digitalocean.RecordTypeA),
				Name:   pulumi.String(key),
				Value:  pulumi.String(value),
				Ttl:    pulumi.Int(300),
			})
			if err != nil {
				return err
			}
			record[key] = dnsRecord
		}

		team := map[string]*github.Team{}
		items := map[string]map[string]string{
			"developers": {
				"privacy": "closed",
				"about":   "Writes code",
			},
			"operators": {
				"privacy": "secret",
				"about":   "Runs code",
			},
		}
		for _, key := range slices.Sorted(maps.Keys(items)) {
			value := items[key]
			team2, err := github.NewTeam(ctx, fmt.Sprintf("team-%s", key), &github.TeamArgs{
				Name:        pulumi.String(key),
				Description: pulumi.String(value["about"]),
				Privacy:     pulumi.String(value["privacy"]),
			})
			if err != nil {
				return err
			}
			team[key] = team2
		}

		items2 := []string{"cat", "dog"}
		for i, value := range items2 {
			_, err = random.NewRandomPet(ctx, fmt.Sprintf("pets-%d", i), &random.RandomPetArgs{
				Prefix: pulumi.String(value),
			})
			if err != nil {
				return err
			}
		}

		ctx.Export("firstBucket", bucket[0].Endpoint)
		ctx.Export("www", record["www"].Fqdn)
		ctx.Export("devTeam", team["developers"].Slug)
		return nil
	})
}
