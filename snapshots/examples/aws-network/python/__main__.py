# Two networks of the same kind, and the peering between them.

import pulumi
import pulumi_aws as aws

from network import Network

config = pulumi.Config()

# The region of both networks.
region_name = config.get("regionName", "eu-central-1")

# The availability zones that each network spans, by their last letters.
zones = config.get_object("zones", ["a", "b"])

zone_names = [f"{region_name}{zone}" for zone in zones]

regional = aws.Provider(
    "regional",
    region=region_name,
    default_tags=aws.ProviderDefaultTagsArgs(
        tags={"Project": pulumi.get_project(), "Stack": pulumi.get_stack()}
    ),
)

storage = aws.ec2.get_vpc_endpoint_service_output(
    service="s3",
    service_type="Gateway",
    opts=pulumi.InvokeOutputOptions(provider=regional),
)

applications = Network(
    "applications",
    label="applications",
    addresses="10.0.0.0/16",
    zone_names=zone_names,
    public_subnets=["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"],
    private_subnets=["10.0.10.0/24", "10.0.11.0/24", "10.0.12.0/24"],
    opts=pulumi.ResourceOptions(providers=[regional]),
)

data = Network(
    "data",
    label="data",
    addresses="10.1.0.0/16",
    zone_names=zone_names,
    private_subnets=["10.1.10.0/24", "10.1.11.0/24", "10.1.12.0/24"],
    opts=pulumi.ResourceOptions(providers=[regional]),
)

peering = aws.ec2.VpcPeeringConnection(
    "peering",
    vpc_id=applications.vpc_id,
    peer_vpc_id=data.vpc_id,
    auto_accept=True,
    requester={"allow_remote_vpc_dns_resolution": True},
    opts=pulumi.ResourceOptions(provider=regional),
)

# The machines of both networks reach the storage without leaving them.
storage_access = {
    key: aws.ec2.VpcEndpoint(
        f"storageAccess-{key}",
        vpc_id=value,
        service_name=storage.service_name,
        vpc_endpoint_type="Gateway",
        opts=pulumi.ResourceOptions(provider=regional),
    )
    for key, value in sorted(
        {"applications": applications.vpc_id, "data": data.vpc_id}.items()
    )
}

pulumi.export("networks", {"applications": applications.vpc_id, "data": data.vpc_id})
pulumi.export("privateSubnets", data.private_subnet_ids)
