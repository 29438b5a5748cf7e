package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type networkArgs struct {
	Label          string   `pulumi:"label"`
	Addresses      string   `pulumi:"addresses"`
	ZoneNames      []string `pulumi:"zoneNames"`
	PublicSubnets  []string `pulumi:"publicSubnets"`
	PrivateSubnets []string `pulumi:"privateSubnets"`
}

// NetworkArgs are the inputs of Network.
type NetworkArgs struct {
	// What the network is called.
	Label string
	// The addresses of the network, in CIDR notation.
	Addresses pulumi.StringInput
	// The availability zones to use, one for each subnet.
	ZoneNames []string
	// Addresses of the subnets that the internet reaches.
	PublicSubnets []string
	// Addresses of the subnets that only the network reaches.
	PrivateSubnets []string
}

func (NetworkArgs) ElementType() reflect.Type {
	return reflect.TypeOf((*networkArgs)(nil)).Elem()
}

type Network struct {
	pulumi.ResourceState

	VpcId            pulumi.IDOutput      `pulumi:"vpcId"`
	PublicSubnetIds  pulumi.IDArrayOutput `pulumi:"publicSubnetIds"`
	PrivateSubnetIds pulumi.IDArrayOutput `pulumi:"privateSubnetIds"`
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

	if args.Addresses == nil {
		return nil, errors.New("missing required argument \"addresses\"")
	}

	publicSubnets := []string{}
	if args.PublicSubnets != nil {
		publicSubnets = args.PublicSubnets
	}

	vpc, err := ec2.NewVpc(ctx, name+"-vpc", &ec2.VpcArgs{
		CidrBlock:          args.Addresses.ToStringOutput(),
		InstanceTenancy:    pulumi.String("default"),
		EnableDnsHostnames: pulumi.Bool(true),
		Tags:               pulumi.StringMap{"Name": pulumi.String(args.Label)},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	var public []*ec2.Subnet
	count := 0
	if len(publicSubnets) > 0 {
		count = len(args.ZoneNames)
	}
	for i := range count {
		subnet, err := ec2.NewSubnet(ctx, fmt.Sprintf("%s-public-%d", name, i), &ec2.SubnetArgs{
			VpcId:               vpc.ID(),
			CidrBlock:           pulumi.String(publicSubnets[i]),
			AvailabilityZone:    pulumi.String(args.ZoneNames[i]),
			MapPublicIpOnLaunch: pulumi.Bool(true),
			Tags:                pulumi.StringMap{"Name": pulumi.Sprintf("%s-public-%d", args.Label, i)},
		}, pulumi.Parent(component))
		if err != nil {
			return nil, err
		}
		public = append(public, subnet)
	}

	var private []*ec2.Subnet
	for i, zoneName := range args.ZoneNames {
		subnet, err := ec2.NewSubnet(ctx, fmt.Sprintf("%s-private-%d", name, i), &ec2.SubnetArgs{
			VpcId:            vpc.ID(),
			CidrBlock:        pulumi.String(args.PrivateSubnets[i]),
			AvailabilityZone: pulumi.String(zoneName),
			Tags:             pulumi.StringMap{"Name": pulumi.Sprintf("%s-private-%d", args.Label, i)},
		}, pulumi.Parent(component))
		if err != nil {
			return nil, err
		}
		private = append(private, subnet)
	}

	if len(publicSubnets) > 0 {
		_, err = ec2.NewInternetGateway(ctx, name+"-gateway", &ec2.InternetGatewayArgs{
			VpcId: vpc.ID(),
		}, pulumi.Parent(component))
		if err != nil {
			return nil, err
		}
	}

	// Who is outside may come in, and everybody may answer.
	items := []int{80, 443}
	ingress := make(ec2.SecurityGroupIngressArray, 0, len(items))
	for _, port := range items {
		ingress = append(ingress, ec2.SecurityGroupIngressArgs{
			Protocol:   pulumi.String("tcp"),
			FromPort:   pulumi.Int(port),
			ToPort:     pulumi.Int(port),
			CidrBlocks: pulumi.StringArray{pulumi.String("0.0.0.0/0")},
		})
	}
	_, err = ec2.NewSecurityGroup(ctx, name+"-web", &ec2.SecurityGroupArgs{
		VpcId:       vpc.ID(),
		Description: pulumi.String("Web servers of " + args.Label),
		Ingress:     ingress,
		Egress: ec2.SecurityGroupEgressArray{
			ec2.SecurityGroupEgressArgs{
				Protocol:   pulumi.String("-1"),
				FromPort:   pulumi.Int(0),
				ToPort:     pulumi.Int(0),
				CidrBlocks: pulumi.StringArray{pulumi.String("0.0.0.0/0")},
			},
		},
	}, pulumi.Parent(component))
	if err != nil {
		return nil, err
	}

	component.VpcId = vpc.ID()

	publicSubnetIds := make(pulumi.IDArray, 0, len(public))
	for _, subnet := range public {
		publicSubnetIds = append(publicSubnetIds, subnet.ID())
	}
	component.PublicSubnetIds = publicSubnetIds.ToIDArrayOutput()

	privateSubnetIds := make(pulumi.IDArray, 0, len(private))
	for _, subnet := range private {
		privateSubnetIds = append(privateSubnetIds, subnet.ID())
	}
	component.PrivateSubnetIds = privateSubnetIds.ToIDArrayOutput()

	if err := ctx.RegisterResourceOutputs(component, pulumi.Map{
		"vpcId":            component.VpcId,
		"publicSubnetIds":  component.PublicSubnetIds,
		"privateSubnetIds": component.PrivateSubnetIds,
	}); err != nil {
		return nil, err
	}
	return component, nil
}
