// Two networks of the same kind, and the peering between them.

import * as pulumi from "@pulumi/pulumi";
import * as aws from "@pulumi/aws";
import { Network } from "./network";

const config = new pulumi.Config();

// The region of both networks.
const regionName = config.get("regionName") ?? "eu-central-1";

// The availability zones that each network spans, by their last letters.
const zones = config.getObject<string[]>("zones") ?? ["a", "b"];

const zoneNames = zones.map((zone) => `${regionName}${zone}`);

const regional = new aws.Provider("regional", {
    region: regionName as aws.Region,
    defaultTags: {
        tags: {
            Project: pulumi.getProject(),
            Stack: pulumi.getStack(),
        },
    },
});

const storage = aws.ec2.getVpcEndpointServiceOutput(
    {
        service: "s3",
        serviceType: "Gateway",
    },
    { provider: regional },
);

const applications = new Network(
    "applications",
    {
        label: "applications",
        addresses: "10.0.0.0/16",
        zoneNames,
        publicSubnets: ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"],
        privateSubnets: ["10.0.10.0/24", "10.0.11.0/24", "10.0.12.0/24"],
    },
    { providers: [regional] },
);

const data = new Network(
    "data",
    {
        label: "data",
        addresses: "10.1.0.0/16",
        zoneNames,
        privateSubnets: ["10.1.10.0/24", "10.1.11.0/24", "10.1.12.0/24"],
    },
    { providers: [regional] },
);

const peering = new aws.ec2.VpcPeeringConnection(
    "peering",
    {
        vpcId: applications.vpcId,
        peerVpcId: data.vpcId,
        autoAccept: true,
        requester: { allowRemoteVpcDnsResolution: true },
    },
    { provider: regional },
);

// The machines of both networks reach the storage without leaving them.
const storageAccess: Record<string, aws.ec2.VpcEndpoint> = {};
for (const [key, value] of Object.entries({
    applications: applications.vpcId,
    data: data.vpcId,
})) {
    storageAccess[key] = new aws.ec2.VpcEndpoint(
        `storageAccess-${key}`,
        {
            vpcId: value,
            serviceName: storage.serviceName,
            vpcEndpointType: "Gateway",
        },
        { provider: regional },
    );
}

export const networks = {
    applications: applications.vpcId,
    data: data.vpcId,
};

export const privateSubnets = data.privateSubnetIds;
