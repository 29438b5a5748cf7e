package main

import (
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		var certificateName *string
		if value, err := cfg.Try("certificateName"); err == nil {
			certificateName = &value
		}

		var enableBackups *bool
		if err := cfg.GetObject("enableBackups", &enableBackups); err != nil {
			return err
		}

		var customTtl *int
		if err := cfg.GetObject("customTtl", &customTtl); err != nil {
			return err
		}

		bucket, err := digitalocean.NewSpacesBucket(ctx, "bucket", &digitalocean.SpacesBucketArgs{
			Name:   pulumi.String("assets"),
			Region: pulumi.String(digitalocean.RegionSFO3),
		})
		if err != nil {
			return err
		}

		var customDomain *string
		if certificateName != nil {
			customDomain = pulumi.StringRef("cdn.example.com")
		}
		cdn, err := digitalocean.NewCdn(ctx, "cdn", &digitalocean.CdnArgs{
			Origin:          bucket.BucketDomainName,
			CertificateName: pulumi.StringPtrFromPtr(certificateName),
			CustomDomain:    pulumi.StringPtrFromPtr(customDomain),
			Ttl:             pulumi.IntPtrFromPtr(customTtl),
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewDroplet(ctx, "box", &digitalocean.DropletArgs{
			Image:   pulumi.String("ubuntu-24-04-x64"),
			Size:    pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
			Region:  pulumi.String(digitalocean.RegionSFO3),
			Backups: pulumi.BoolPtrFromPtr(enableBackups),
		})
		if err != nil {
			return err
		}

		ctx.Export("region", bucket.Region)
		ctx.Export("customDomain", cdn.CustomDomain)
		ctx.Export("aclOrNone", bucket.Acl.ApplyT(func(acl *string) string {
			if acl == nil {
				return "none"
			}
			return *acl
		}))
		return nil
	})
}
