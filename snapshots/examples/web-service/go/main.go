// A web service: droplets in a private network, behind a firewall and a load balancer that ends TLS.
// config.pp says what can be set.

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Record struct {
	Type  string `json:"type" pulumi:"type"`
	Value string `json:"value" pulumi:"value"`
	Ttl   *int   `json:"ttl" pulumi:"ttl"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// What a team fills in when it takes this template: `pulumi config set domain shop.example.com`, and so on.
		// The domain of the service. Its name servers must be those of DigitalOcean.
		domain := cfg.Require("domain")

		// Where everything runs.
		region, err := cfg.Try("region")
		if err != nil {
			region = "fra1"
		}

		// How many web servers there are.
		replicas, err := cfg.TryInt("replicas")
		if errors.Is(err, config.ErrMissingVar) {
			replicas = 2
		} else if err != nil {
			return err
		}

		// The licence key of the web server.
		licenceKey := cfg.RequireSecret("licenceKey")

		// Machines that may log in with ssh. When there are none, the port stays closed.
		// Addresses that may log in, in CIDR notation.
		var adminAddresses []string
		if err := cfg.TryObject("adminAddresses", &adminAddresses); errors.Is(
			err,
			config.ErrMissingVar,
		) {
			adminAddresses = []string{}
		} else if err != nil {
			return err
		}

		// Further DNS records, by host name.
		var records map[string]Record
		if err := cfg.TryObject("records", &records); errors.Is(err, config.ErrMissingVar) {
			records = map[string]Record{
				"mail": {
					Type:  "A",
					Value: "192.0.2.25",
					Ttl:   pulumi.IntRef(3600),
				},
				"www": {
					Type:  "CNAME",
					Value: "@",
				},
			}
		} else if err != nil {
			return err
		}
		var givenRecords map[string]map[string]any
		cfg.GetObject("records", &givenRecords)
		for _, key := range slices.Sorted(maps.Keys(givenRecords)) {
			place := fmt.Sprintf("config.pp:28:8: records.%s", key)
			if err := requireMembers(givenRecords[key], place, "type", "value"); err != nil {
				return err
			}
		}

		name := fmt.Sprintf("%s-%s", ctx.Project(), ctx.Stack())
		production := ctx.Stack() == "prod"
		everywhere := []string{"0.0.0.0/0", "::/0"}

		network, err := digitalocean.NewVpc(ctx, "network", &digitalocean.VpcArgs{
			Name:        pulumi.String(name + "-network"),
			Description: pulumi.String("Private network of " + name),
			Region:      pulumi.String(region),
		})
		if err != nil {
			return err
		}

		webTag, err := digitalocean.NewTag(ctx, "webTag", &digitalocean.TagArgs{
			Name: pulumi.String(name + "-web"),
		})
		if err != nil {
			return err
		}

		// Signs the session cookies of all web servers.
		sessionKey, err := random.NewRandomPassword(ctx, "sessionKey", &random.RandomPasswordArgs{
			Length:  pulumi.Int(48),
			Special: pulumi.Bool(false),
		})
		if err != nil {
			return err
		}

		// a newer image is for new machines only
		var web []*digitalocean.Droplet
		for i := range replicas {
			var size string
			if production {
				size = string(digitalocean.DropletSlugDropletS2VCPU4GB)
			} else {
				size = string(digitalocean.DropletSlugDropletS1VCPU1GB)
			}
			droplet, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("web-%d", i), &digitalocean.DropletArgs{
				Name:    pulumi.Sprintf("%s-web-%d", name, i),
				Image:   pulumi.String("ubuntu-24-04-x64"),
				Size:    pulumi.String(size),
				Region:  pulumi.String(region),
				VpcUuid: network.ID(),
				Tags:    pulumi.StringArray{webTag.Name},
				// the graphs in the control panel need it
				Monitoring: pulumi.Bool(true),
				UserData: pulumi.Sprintf(`#cloud-config
packages: [nginx]
write_files:
  - path: /etc/web/environment
    permissions: "0600"
    content: |
      SESSION_KEY=%s
      LICENCE_KEY=%s
      PUBLIC_URL=https://%s/
`, sessionKey.Result, licenceKey, domain),
			}, pulumi.IgnoreChanges([]string{"image"}))
			if err != nil {
				return err
			}
			web = append(web, droplet)
		}

		zone, err := digitalocean.NewDomain(ctx, "zone", &digitalocean.DomainArgs{
			Name: pulumi.String(domain),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}

		certificate, err := digitalocean.NewCertificate(ctx, "certificate", &digitalocean.CertificateArgs{
			Name:    pulumi.String(name + "-certificate"),
			Type:    pulumi.String(digitalocean.CertificateTypeLetsEncrypt),
			Domains: pulumi.StringArray{zone.Name, pulumi.Sprintf("www.%s", zone.Name)},
		})
		if err != nil {
			return err
		}

		balancer, err := digitalocean.NewLoadBalancer(ctx, "balancer", &digitalocean.LoadBalancerArgs{
			Name:                pulumi.String(name + "-balancer"),
			Region:              pulumi.String(region),
			VpcUuid:             network.ID(),
			DropletTag:          webTag.Name,
			RedirectHttpToHttps: pulumi.Bool(true),
			ForwardingRules: digitalocean.LoadBalancerForwardingRuleArray{
				digitalocean.LoadBalancerForwardingRuleArgs{
					EntryPort:       pulumi.Int(443),
					EntryProtocol:   pulumi.String("https"),
					TargetPort:      pulumi.Int(80),
					TargetProtocol:  pulumi.String("http"),
					CertificateName: certificate.Name,
				},
			},
			Healthcheck: &digitalocean.LoadBalancerHealthcheckArgs{
				Protocol: pulumi.String("http"),
				Port:     pulumi.Int(80),
				Path:     pulumi.String("/healthz"),
			},
		})
		if err != nil {
			return err
		}

		// The web servers are reached through the balancer only, and may call out for updates.
		items := []string{"tcp", "udp"}
		outboundRules := make(digitalocean.FirewallOutboundRuleArray, 0, len(items))
		for _, protocol := range items {
			outboundRules = append(outboundRules, digitalocean.FirewallOutboundRuleArgs{
				Protocol:             pulumi.String(protocol),
				PortRange:            pulumi.String("1-65535"),
				DestinationAddresses: pulumi.ToStringArray(everywhere),
			})
		}
		_, err = digitalocean.NewFirewall(ctx, "firewall", &digitalocean.FirewallArgs{
			Name: pulumi.String(name + "-web"),
			Tags: pulumi.StringArray{webTag.Name},
			InboundRules: digitalocean.FirewallInboundRuleArray{
				digitalocean.FirewallInboundRuleArgs{
					Protocol:               pulumi.String("tcp"),
					PortRange:              pulumi.String("80"),
					SourceLoadBalancerUids: pulumi.StringArray{balancer.ID()},
				},
			},
			OutboundRules: outboundRules,
		})
		if err != nil {
			return err
		}

		if len(adminAddresses) > 0 {
			_, err = digitalocean.NewFirewall(ctx, "adminAccess", &digitalocean.FirewallArgs{
				Name: pulumi.String(name + "-admin"),
				Tags: pulumi.StringArray{webTag.Name},
				InboundRules: digitalocean.FirewallInboundRuleArray{
					digitalocean.FirewallInboundRuleArgs{
						Protocol:        pulumi.String("tcp"),
						PortRange:       pulumi.String("22"),
						SourceAddresses: pulumi.ToStringArray(adminAddresses),
					},
				},
			})
			if err != nil {
				return err
			}
		}

		apex, err := digitalocean.NewDnsRecord(ctx, "apex", &digitalocean.DnsRecordArgs{
			Domain: zone.Name,
			Type:   pulumi.String(digitalocean.RecordTypeA),
			Name:   pulumi.String("@"),
			Value:  balancer.Ip,
			Ttl:    pulumi.Int(300),
		})
		if err != nil {
			return err
		}

		record := map[string]*digitalocean.DnsRecord{}
		for _, key := range slices.Sorted(maps.Keys(records)) {
			value := records[key]
			dnsRecord, err := digitalocean.NewDnsRecord(ctx, fmt.Sprintf("record-%s", key), &digitalocean.DnsRecordArgs{
				Domain: zone.Name,
				Type:   pulumi.String(value.Type),
				Name:   pulumi.String(key),
				Value:  pulumi.String(value.Value),
				Ttl:    pulumi.IntPtrFromPtr(value.Ttl),
			})
			if err != nil {
				return err
			}
			record[key] = dnsRecord
		}

		// Somebody is woken up for production only.
		if production {
			_, err = digitalocean.NewUptimeCheck(ctx, "uptime", &digitalocean.UptimeCheckArgs{
				Name:    pulumi.String(name),
				Target:  pulumi.Sprintf("https://%s/healthz", domain),
				Regions: pulumi.StringArray{pulumi.String("us_east"), pulumi.String("eu_west")},
			}, pulumi.DependsOn([]pulumi.Resource{apex}))
			if err != nil {
				return err
			}
		}

		ctx.Export("url", pulumi.Sprintf("https://%s/", apex.Fqdn))

		servers := make(pulumi.StringArray, 0, len(web))
		for _, server := range web {
			servers = append(
				servers,
				pulumi.Sprintf("%s: %s", server.Name, server.Ipv4AddressPrivate),
			)
		}
		ctx.Export("servers", servers)

		hostNames := pulumi.StringMap{}
		for host, entry := range record {
			hostNames[host] = entry.Fqdn
		}
		ctx.Export("hostNames", hostNames)

		ctx.Export("certificateExpires", certificate.NotAfter)
		return nil
	})
}

// requireMembers fails if an object lacks a required member.
func requireMembers(object map[string]any, place string, names ...string) error {
	for _, name := range names {
		if object != nil && object[name] == nil {
			return fmt.Errorf("%s.%s is not set", place, name)
		}
	}
	return nil
}
