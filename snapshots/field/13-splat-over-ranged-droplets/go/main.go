package main

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		webCount, err := cfg.TryInt("webCount")
		if errors.Is(err, config.ErrMissingVar) {
			webCount = 3
		} else if err != nil {
			return err
		}

		tag, err := digitalocean.NewTag(ctx, "tag", &digitalocean.TagArgs{
			Name: pulumi.String("web"),
		})
		if err != nil {
			return err
		}

		var web []*digitalocean.Droplet
		for i := range webCount {
			droplet, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("web-%d", i), &digitalocean.DropletArgs{
				Name:   pulumi.Sprintf("web-%d", i),
				Image:  pulumi.String("ubuntu-24-04-x64"),
				Size:   pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
				Region: pulumi.String(digitalocean.RegionNYC1),
				Tags:   pulumi.StringArray{tag.Name},
			})
			if err != nil {
				return err
			}
			web = append(web, droplet)
		}

		var record []*digitalocean.DnsRecord
		for i := range webCount {
			dnsRecord, err := digitalocean.NewDnsRecord(ctx, fmt.Sprintf("record-%d", i), &digitalocean.DnsRecordArgs{
				Domain: pulumi.String("example.com"),
				Type:   pulumi.String(digitalocean.RecordTypeA),
				Name:   pulumi.Sprintf("web%d", i),
				Value:  web[i].Ipv4Address,
			})
			if err != nil {
				return err
			}
			record = append(record, dnsRecord)
		}

		entities := make(pulumi.StringArray, 0, len(web))
		for _, droplet := range web {
			entities = append(entities, droplet.ID())
		}
		_, err = digitalocean.NewMonitorAlert(ctx, "alert", &digitalocean.MonitorAlertArgs{
			Type:        pulumi.String("v1/insights/droplet/load_1"),
			Compare:     pulumi.String("GreaterThan"),
			Description: pulumi.String("load"),
			Value:       pulumi.Float64(4),
			Window:      pulumi.String("10m"),
			Entities:    entities,
			Alerts: &digitalocean.MonitorAlertAlertsArgs{
				Emails: pulumi.StringArray{pulumi.String("ops@example.com")},
			},
		})
		if err != nil {
			return err
		}

		addresses := make(pulumi.StringArray, 0, len(web))
		for _, droplet := range web {
			addresses = append(addresses, droplet.Ipv4Address)
		}
		ctx.Export("addresses", addresses)

		fqdns := make(pulumi.StringArray, 0, len(record))
		for _, dnsRecord := range record {
			fqdns = append(fqdns, dnsRecord.Fqdn)
		}
		ctx.Export("fqdns", fqdns)

		ctx.Export("first", web[0].Name)
		return nil
	})
}
