package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		domainName, err := cfg.Try("domainName")
		if err != nil {
			domainName = "example.com"
		}

		site, err := NewSite(ctx, "site", &SiteArgs{
			Domain: domainName,
			Admins: map[string]string{"ops": "ops@example.com"},
		})
		if err != nil {
			return err
		}

		ctx.Export("certificate", site.CertificatePem)
		ctx.Export("fingerprint", site.Fingerprint)
		return nil
	})
}
