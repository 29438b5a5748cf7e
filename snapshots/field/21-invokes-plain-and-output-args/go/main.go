package main

import (
	"strconv"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		imageName, err := cfg.Try("imageName")
		if err != nil {
			imageName = "golden-base"
		}

		base := digitalocean.GetImageOutput(ctx, digitalocean.GetImageOutputArgs{
			Name:   pulumi.String(imageName),
			Source: pulumi.String("user"),
		})
		account := digitalocean.GetAccountOutput(ctx)
		versions := digitalocean.GetKubernetesVersionsOutput(ctx, digitalocean.GetKubernetesVersionsOutputArgs{
			VersionPrefix: pulumi.String("1.31."),
		})

		droplet, err := digitalocean.NewDroplet(ctx, "droplet", &digitalocean.DropletArgs{
			Image:  base.Id().ApplyT(strconv.Itoa).(pulumi.StringOutput),
			Size:   pulumi.String(digitalocean.DropletSlugDropletS2VCPU4GB),
			Region: base.Regions().Index(pulumi.Int(0)),
		})
		if err != nil {
			return err
		}

		live := digitalocean.LookupDropletOutput(ctx, digitalocean.LookupDropletOutputArgs{
			Name: droplet.Name,
		})
		records := digitalocean.GetRecordsOutput(ctx, digitalocean.GetRecordsOutputArgs{
			Domain: pulumi.String("example.com"),
			Filters: digitalocean.GetRecordsFilterArray{
				digitalocean.GetRecordsFilterArgs{
					Key:    pulumi.String("value"),
					Values: pulumi.StringArray{droplet.Ipv4Address},
				},
			},
			Sorts: digitalocean.GetRecordsSortArray{
				digitalocean.GetRecordsSortArgs{
					Key:       pulumi.String("name"),
					Direction: pulumi.String("desc"),
				},
			},
		})

		key, err := tls.NewPrivateKey(ctx, "key", &tls.PrivateKeyArgs{
			Algorithm: pulumi.String("RSA"),
		})
		if err != nil {
			return err
		}

		ctx.Export("fingerprint", tls.GetPublicKeyOutput(ctx, tls.GetPublicKeyOutputArgs{
			PrivateKeyPem: key.PrivateKeyPem,
		}).PublicKeyFingerprintSha256())
		ctx.Export("latest", versions.LatestVersion())
		ctx.Export("limit", account.DropletLimit())
		ctx.Export("monthly", live.PriceMonthly())
		ctx.Export("firstRecord", records.Records().Index(pulumi.Int(0)).Name())
		return nil
	})
}
