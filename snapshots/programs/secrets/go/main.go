// What must not be shown.

package main

import (
	"encoding/base64"

	"example.com/pulumi-probe/sdk/go/probe"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		password := cfg.RequireSecret("password")

		_, err := probe.NewThing(ctx, "thing", &probe.ThingArgs{
			Password: password,
			Label:    pulumi.ToSecret("hidden").(pulumi.StringOutput),
		})
		if err != nil {
			return err
		}

		header := password.ApplyT(func(value string) string {
			return "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+value))
		}).(pulumi.StringOutput)

		ctx.Export("header", header)
		ctx.Export("parts", pulumi.ToSecret(pulumi.StringMap{
			"user":     pulumi.String("admin"),
			"password": password,
		}))
		ctx.Export("open", pulumi.Unsecret(password))
		return nil
	})
}
