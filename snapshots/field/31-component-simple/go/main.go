package main

import (
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		frontend, err := NewWebServer(ctx, "frontend", &WebServerArgs{
			Name:  "frontend",
			Image: pulumi.String("ubuntu-24-04-x64"),
			Tags:  pulumi.StringArray{pulumi.String("web"), pulumi.String("public")},
		})
		if err != nil {
			return err
		}

		backend, err := NewWebServer(ctx, "backend", &WebServerArgs{
			Name:   "backend",
			Image:  pulumi.String("debian-12-x64"),
			Region: pulumi.String("fra1"),
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewDnsRecord(ctx, "record", &digitalocean.DnsRecordArgs{
			Domain: pulumi.String("example.com"),
			Type:   pulumi.String(digitalocean.RecordTypeA),
			Name:   pulumi.String("www"),
			Value:  frontend.Address,
		})
		if err != nil {
			return err
		}

		ctx.Export("frontendAddress", frontend.Address)
		ctx.Export("backendUrl", pulumi.Sprintf("http://%s:%d/", backend.Address, backend.Port))
		return nil
	})
}
