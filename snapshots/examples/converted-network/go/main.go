// Converted from the Terraform configuration `environments`: one module, called for each environment.

package main

import (
	"errors"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Bastion struct {
	Size  *string `json:"size" pulumi:"size"`
	Image *string `json:"image" pulumi:"image"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// Region of all environments
		region, err := cfg.Try("region")
		if err != nil {
			region = "ams3"
		}

		// Networks of the administrators by office
		var adminAddresses map[string]string
		if err := cfg.TryObject("adminAddresses", &adminAddresses); errors.Is(
			err,
			config.ErrMissingVar,
		) {
			adminAddresses = map[string]string{
				"berlin": "198.51.100.0/24",
				"lisbon": "203.0.113.0/24",
			}
		} else if err != nil {
			return err
		}

		// Sizes that differ from the smallest one, by environment
		var machineSizes map[string]string
		if err := cfg.TryObject("machineSizes", &machineSizes); errors.Is(err, config.ErrMissingVar) {
			machineSizes = map[string]string{"production": "s-2vcpu-2gb"}
		} else if err != nil {
			return err
		}

		adminAddresses2 := make([]string, 0, len(adminAddresses))
		for _, key := range slices.Sorted(maps.Keys(adminAddresses)) {
			block := adminAddresses[key]
			adminAddresses2 = append(adminAddresses2, block)
		}
		staging, err := NewNetwork(ctx, "staging", &NetworkArgs{
			Environment:    "staging",
			Region:         region,
			IpRange:        "10.10.0.0/16",
			AdminAddresses: pulumi.ToStringArray(adminAddresses2),
			Bastions:       map[string]Bastion{"main": {}},
		})
		if err != nil {
			return err
		}

		adminAddresses3 := make([]string, 0, len(adminAddresses))
		for _, key := range slices.Sorted(maps.Keys(adminAddresses)) {
			block := adminAddresses[key]
			adminAddresses3 = append(adminAddresses3, block)
		}
		size, ok := machineSizes["production"]
		if !ok {
			size = "s-1vcpu-1gb"
		}
		production, err := NewNetwork(ctx, "production", &NetworkArgs{
			Environment:    "production",
			Region:         region,
			IpRange:        "10.20.0.0/16",
			AdminAddresses: pulumi.ToStringArray(adminAddresses3),
			Bastions: map[string]Bastion{
				"blue":  {Size: pulumi.StringRef(size)},
				"green": {Image: pulumi.StringRef("debian-12-x64")},
			},
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewVpcPeering(ctx, "staging_production", &digitalocean.VpcPeeringArgs{
			Name:   pulumi.String("staging-production"),
			VpcIds: pulumi.StringArray{staging.VpcId, production.VpcId},
		})
		if err != nil {
			return err
		}

		ctx.Export("bastionAddresses", pulumi.StringMapMap{
			"staging":    staging.Addresses,
			"production": production.Addresses,
		})
		ctx.Export("entryPoint", production.Addresses.ApplyT(func(addresses map[string]string) (string, error) {
			return firstOf(
				func() (string, error) { return entryOf(addresses, "blue") },
				func() (string, error) { return "none", nil },
			)
		}))
		ctx.Export("keyPair", pulumi.StringMap{
			"public":  production.PublicKey,
			"private": production.PrivateKey,
		})
		return nil
	})
}
