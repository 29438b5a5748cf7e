// Two networks of the same kind, and the peering between them.

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v7/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		// The region of both networks.
		regionName, err := cfg.Try("regionName")
		if err != nil {
			regionName = "eu-central-1"
		}

		// The availability zones that each network spans, by their last letters.
		var zones []string
		if err := cfg.TryObject("zones", &zones); errors.Is(err, config.ErrMissingVar) {
			zones = []string{"a", "b"}
		} else if err != nil {
			return err
		}

		zoneNames := make([]string, 0, len(zones))
		for _, zone := range zones {
			zoneNames = append(zoneNames, regionName+zone)
		}

		regional, err := aws.NewProvider(ctx, "regional", &aws.ProviderArgs{
			Region: pulumi.String(regionName),
			DefaultTags: &aws.ProviderDefaultTagsArgs{
				Tags: pulumi.StringMap{
					"Project": pulumi.String(ctx.Project()),
					"Stack":   pulumi.String(ctx.Stack()),
				},
			},
		})
		if err != nil {
			return err
		}

		storage := ec2.LookupVpcEndpointServiceOutput(ctx, ec2.LookupVpcEndpointServiceOutputArgs{
			Service:     pulumi.String("s3"),
			ServiceType: pulumi.String("Gateway"),
		}, pulumi.Provider(regional))

		applications, err := NewNetwork(ctx, "applications", &NetworkArgs{
			Label:          "applications",
			Addresses:      pulumi.String("10.0.0.0/16"),
			ZoneNames:      zoneNames,
			PublicSubnets:  []string{"10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"},
			PrivateSubnets: []string{"10.0.10.0/24", "10.0.11.0/24", "10.0.12.0/24"},
		}, pulumi.Providers(regional))
		if err != nil {
			return err
		}

		data, err := NewNetwork(ctx, "data", &NetworkArgs{
			Label:          "data",
			Addresses:      pulumi.String("10.1.0.0/16"),
			ZoneNames:      zoneNames,
			PrivateSubnets: []string{"10.1.10.0/24", "10.1.11.0/24", "10.1.12.0/24"},
		}, pulumi.Providers(regional))
		if err != nil {
			return err
		}

		_, err = ec2.NewVpcPeeringConnection(ctx, "peering", &ec2.VpcPeeringConnectionArgs{
			VpcId:      applications.VpcId,
			PeerVpcId:  data.VpcId,
			AutoAccept: pulumi.Bool(true),
			Requester: &ec2.VpcPeeringConnectionRequesterArgs{
				AllowRemoteVpcDnsResolution: pulumi.Bool(true),
			},
		}, pulumi.Provider(regional))
		if err != nil {
			return err
		}

		// The machines of both networks reach the storage without leaving them.
		items := pulumi.IDMap{
			"applications": applications.VpcId,
			"data":         data.VpcId,
		}
		for _, key := range slices.Sorted(maps.Keys(items)) {
			value := items[key]
			_, err = ec2.NewVpcEndpoint(ctx, fmt.Sprintf("storageAccess-%s", key), &ec2.VpcEndpointArgs{
				VpcId:           value.ToIDOutput(),
				ServiceName:     storage.ServiceName(),
				VpcEndpointType: pulumi.String("Gateway"),
			}, pulumi.Provider(regional))
			if err != nil {
				return err
			}
		}

		ctx.Export("networks", pulumi.StringMap{
			"applications": applications.VpcId,
			"data":         data.VpcId,
		})
		ctx.Export("privateSubnets", data.PrivateSubnetIds)
		return nil
	})
}
