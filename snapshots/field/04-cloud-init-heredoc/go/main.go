package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		hostname, err := cfg.Try("hostname")
		if err != nil {
			hostname = "bastion"
		}

		var users []string
		if err := cfg.TryObject("users", &users); errors.Is(err, config.ErrMissingVar) {
			users = []string{"ann", "bob"}
		} else if err != nil {
			return err
		}

		key, err := tls.NewPrivateKey(ctx, "key", &tls.PrivateKeyArgs{
			Algorithm: pulumi.String("ED25519"),
		})
		if err != nil {
			return err
		}

		part := hostname
		if hostname == "bastion" {
			part = "the bastion"
		}
		parts := make([]string, 0, len(users))
		for _, u := range users {
			parts = append(parts, fmt.Sprintf("  * %s\n", u))
		}
		motd := fmt.Sprintf(`Welcome to %s!
%s  Everything you do here is "logged".
    Indented \n is not a newline.
`, part, strings.Join(parts, ""))

		bastion, err := digitalocean.NewDroplet(ctx, "bastion", &digitalocean.DropletArgs{
			Image:  pulumi.String("debian-12-x64"),
			Size:   pulumi.String(digitalocean.DropletSlugDropletS1VCPU512MB10GB),
			Region: pulumi.String(digitalocean.RegionAMS3),
			UserData: pulumi.Sprintf(`#cloud-config
hostname: %s
users:
  - name: deploy
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    ssh_authorized_keys:
      - %s
runcmd:
  - [sh, -c, "echo ${HOSTNAME} > /etc/motd"]
  - |
    for i in 1 2 3; do
      echo "$i%%"
    done
`, hostname, key.PublicKeyOpenssh),
		})
		if err != nil {
			return err
		}

		ctx.Export("motd", pulumi.String(motd))
		ctx.Export("address", bastion.Ipv4Address)
		return nil
	})
}
