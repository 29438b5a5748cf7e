package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-docker/sdk/v5/go/docker"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		lengthText, err := cfg.Try("lengthText")
		if err != nil {
			lengthText = "24"
		}

		portNumber, err := cfg.TryFloat64("portNumber")
		if errors.Is(err, config.ErrMissingVar) {
			portNumber = 8080
		} else if err != nil {
			return err
		}

		flagText, err := cfg.Try("flagText")
		if err != nil {
			flagText = "true"
		}

		count, err := cfg.TryInt("count")
		if errors.Is(err, config.ErrMissingVar) {
			count = 3
		} else if err != nil {
			return err
		}

		ipv6, err := strconv.ParseBool(flagText)
		if err != nil {
			return err
		}
		droplet, err := digitalocean.NewDroplet(ctx, "droplet", &digitalocean.DropletArgs{
			Image:      pulumi.String("ubuntu-24-04-x64"),
			Size:       pulumi.String(digitalocean.DropletSlugDropletS1VCPU1GB),
			Region:     pulumi.String(digitalocean.RegionNYC3),
			Monitoring: pulumi.Bool(true),
			Ipv6:       pulumi.Bool(ipv6),
		})
		if err != nil {
			return err
		}

		length, err := strconv.Atoi(lengthText)
		if err != nil {
			return err
		}
		password, err := random.NewRandomPassword(ctx, "password", &random.RandomPasswordArgs{
			Length:   pulumi.Int(length),
			Special:  pulumi.Bool(false),
			MinLower: pulumi.Int(2),
			Keepers: pulumi.StringMap{
				"count":   pulumi.String(strconv.Itoa(count)),
				"enabled": pulumi.String("true"),
				"ratio":   pulumi.String("0.25"),
			},
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewFirewall(ctx, "firewall", &digitalocean.FirewallArgs{
			DropletIds: pulumi.IntArray{
				droplet.ID().ApplyT(func(id pulumi.ID) (int, error) {
					return strconv.Atoi(string(id))
				}).(pulumi.IntOutput),
			},
			InboundRules: digitalocean.FirewallInboundRuleArray{
				digitalocean.FirewallInboundRuleArgs{
					Protocol:        pulumi.String("tcp"),
					PortRange:       pulumi.String(strconv.FormatFloat(portNumber, 'f', -1, 64)),
					SourceAddresses: pulumi.StringArray{pulumi.String("0.0.0.0/0")},
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = digitalocean.NewReservedIp(ctx, "ip", &digitalocean.ReservedIpArgs{
			Region: pulumi.String("nyc3"),
			DropletId: droplet.ID().ApplyT(func(id pulumi.ID) (int, error) {
				return strconv.Atoi(string(id))
			}).(pulumi.IntOutput),
		})
		if err != nil {
			return err
		}

		internal, err := wholeNumber(portNumber)
		if err != nil {
			return err
		}
		box, err := docker.NewContainer(ctx, "box", &docker.ContainerArgs{
			Image:  pulumi.String("12345"),
			Memory: pulumi.Int(512),
			Envs: pulumi.StringArray{
				pulumi.Sprintf("PORT=%s", strconv.FormatFloat(portNumber, 'f', -1, 64)),
				pulumi.String(strconv.Itoa(count)),
				pulumi.String("true"),
			},
			Ports: docker.ContainerPortArray{
				docker.ContainerPortArgs{
					Internal: pulumi.Int(internal),
					External: pulumi.Int(80),
				},
			},
		})
		if err != nil {
			return err
		}

		_, err = local.NewCommand(ctx, "run", &local.CommandArgs{
			Create: password.Length.ApplyT(strconv.Itoa).(pulumi.StringOutput),
			Environment: pulumi.StringMap{
				"MEMORY": box.Memory.ApplyT(func(memory *int) (string, error) {
					if memory == nil {
						return "", errors.New("main.pp:63:15: box.memory is not set")
					}
					return strconv.Itoa(*memory), nil
				}).(pulumi.StringOutput),
				"SPECIAL": password.Special.ApplyT(strconv.FormatBool).(pulumi.StringOutput),
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("sum", pulumi.Int(count+1))
		ctx.Export("memoryPlusOne", password.Length.ApplyT(func(value int) int {
			return value*2 + 1
		}))
		return nil
	})
}

// wholeNumber returns a number, which must be whole, as an int.
func wholeNumber(value float64) (int, error) {
	if float64(int(value)) != value {
		return 0, fmt.Errorf("expected a whole number, found %v", value)
	}
	return int(value), nil
}
