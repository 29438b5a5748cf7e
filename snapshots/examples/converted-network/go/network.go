package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"
	"github.com/pulumi/pulumi-tls/sdk/v5/go/tls"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type networkArgs struct {
	Environment    string             `pulumi:"environment"`
	Region         string             `pulumi:"region"`
	IpRange        string             `pulumi:"ipRange"`
	AdminAddresses []string           `pulumi:"adminAddresses"`
	Bastions       map[string]Bastion `pulumi:"bastions"`
}

// NetworkArgs are the inputs of Network.
type NetworkArgs struct {
	Environment string
	Region      string
	// Addresses of the network; cannot be changed later
	IpRange        string
	AdminAddresses pulumi.StringArrayInput
	// Machines to log in through, by name
	Bastions map[string]Bastion
}

func (NetworkArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*networkArgs)(nil)).Elem()
}

type Network struct {
	pulumi.ResourceState

	VpcId      pulumi.IDOutput        `pulumi:"vpcId"`
	Addresses  pulumi.StringMapOutput `pulumi:"addresses"`
	PublicKey  pulumi.StringOutput    `pulumi:"publicKey"`
	PrivateKey pulumi.StringOutput    `pulumi:"privateKey"`
}

// NewNetwork registers the component and the resources inside it.
func NewNetwork(
	ctx *pulumi.Context, name string, args *NetworkArgs, opts ...pulumi.ResourceOption,
) (*Network, error) {
	if args == nil {
		args = &NetworkArgs{}
	}
	component := &Network{}
	err := ctx.RegisterComponentResourceV2(
		"components:index:Network",
		name,
		args,
		component,
		opts...,
	)
	if err != nil {
		return nil, err
	}

	adminAddresses := args.AdminAddresses
	if adminAddresses == nil {
		adminAddresses = pulumi.StringArray{}
	}

	labels := pulumi.StringArray{
		pulumi.String("environment:" + args.Environment),
		pulumi.String("managed-by:pulumi"),
	}

	this, err := digitalocean.NewVpc(ctx, name+"-this", &digitalocean.VpcArgs{
		Name:    pulumi.Sprintf("%s-%s", args.Environment, args.Region),
		Region:  pulumi.String(args.Region),
		IpRange: pulumi.String(args.IpRange),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	bastionKey, err := tls.NewPrivateKey(ctx, name+"-bastion_key", &tls.PrivateKeyArgs{
		Algorithm: pulumi.String("ED25519"),
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	bastionPublicKey, err := digitalocean.NewSshKey(ctx, name+"-bastion_public_key", &digitalocean.SshKeyArgs{
		Name:      pulumi.String(args.Environment + "-bastion"),
		PublicKey: bastionKey.PublicKeyOpenssh,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	bastion := map[string]*digitalocean.Droplet{}
	for _, key := range slices.Sorted(maps.Keys(args.Bastions)) {
		value := args.Bastions[key]
		var image string
		if value.Image == nil {
			image = "ubuntu-24-04-x64"
		} else {
			image = *value.Image
		}
		var size string
		if value.Size == nil {
			size = string(digitalocean.DropletSlugDropletS1VCPU1GB)
		} else {
			size = *value.Size
		}
		droplet, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("%s-bastion-%s", name, key), &digitalocean.DropletArgs{
			Name:    pulumi.Sprintf("%s-bastion-%s", args.Environment, key),
			Image:   pulumi.String(image),
			Size:    pulumi.String(size),
			Region:  pulumi.String(args.Region),
			VpcUuid: this.ID(),
			SshKeys: pulumi.StringArray{bastionPublicKey.Fingerprint},
			Tags:    labels,
		}, pulumi.Parent(component))
		if err != nil {
			return nil, err
		}
		bastion[key] = droplet
	}

	dropletIds := make(pulumi.IntArray, 0, len(bastion))
	for _, key := range slices.Sorted(maps.Keys(bastion)) {
		machine := bastion[key]
		dropletIds = append(dropletIds, machine.ID().ApplyT(func(id pulumi.ID) (int, error) {
			return strconv.Atoi(string(id))
		}).(pulumi.IntOutput))
	}
	items := []string{"tcp", "udp"}
	outboundRules := make(digitalocean.FirewallOutboundRuleArray, 0, len(items))
	for _, protocol := range items {
		outboundRules = append(outboundRules, digitalocean.FirewallOutboundRuleArgs{
			Protocol:             pulumi.String(protocol),
			PortRange:            pulumi.String("all"),
			DestinationAddresses: pulumi.StringArray{pulumi.String(args.IpRange)},
		})
	}
	_, err = digitalocean.NewFirewall(ctx, name+"-bastion_firewall", &digitalocean.FirewallArgs{
		Name:       pulumi.String(args.Environment + "-bastion"),
		DropletIds: dropletIds,
		InboundRules: digitalocean.FirewallInboundRuleArray{
			digitalocean.FirewallInboundRuleArgs{
				Protocol:        pulumi.String("tcp"),
				PortRange:       pulumi.String("22"),
				SourceAddresses: adminAddresses,
			},
		},
		OutboundRules: outboundRules,
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.VpcId = this.ID()

	addresses := pulumi.StringMap{}
	for name2, machine := range bastion {
		addresses[name2] = machine.Ipv4Address
	}
	component.Addresses = addresses.ToStringMapOutput()

	component.PublicKey = bastionKey.PublicKeyOpenssh
	component.PrivateKey = bastionKey.PrivateKeyOpenssh

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"vpcId":      component.VpcId,
		"addresses":  component.Addresses,
		"publicKey":  component.PublicKey,
		"privateKey": component.PrivateKey,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
