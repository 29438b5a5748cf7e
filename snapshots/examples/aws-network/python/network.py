from collections.abc import Sequence
from typing import Optional

import pulumi
import pulumi_aws as aws


class Network(pulumi.ComponentResource):
    vpc_id: pulumi.Output[str]
    public_subnet_ids: pulumi.Output[Sequence[str]]
    private_subnet_ids: pulumi.Output[Sequence[str]]

    def __init__(
        self,
        resource_name: str,
        *,
        # What the network is called.
        label: str,
        # The addresses of the network, in CIDR notation.
        addresses: pulumi.Input[str],
        # The availability zones to use, one for each subnet.
        zone_names: Sequence[str],
        # Addresses of the subnets that the internet reaches.
        public_subnets: Optional[Sequence[str]] = None,
        # Addresses of the subnets that only the network reaches.
        private_subnets: Sequence[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Network",
            resource_name,
            {
                "label": label,
                "addresses": addresses,
                "zoneNames": zone_names,
                "publicSubnets": public_subnets,
                "privateSubnets": private_subnets,
            },
            opts,
        )

        public_subnets = [] if public_subnets is None else public_subnets

        vpc = aws.ec2.Vpc(
            f"{resource_name}-vpc",
            cidr_block=addresses,
            instance_tenancy="default",
            enable_dns_hostnames=True,
            tags={"Name": label},
            opts=pulumi.ResourceOptions(parent=self),
        )

        public = [
            aws.ec2.Subnet(
                f"{resource_name}-public-{i}",
                vpc_id=vpc.id,
                cidr_block=public_subnets[i],
                availability_zone=zone_names[i],
                map_public_ip_on_launch=True,
                tags={"Name": f"{label}-public-{i}"},
                opts=pulumi.ResourceOptions(parent=self),
            )
            for i in range(len(zone_names) if len(public_subnets) > 0 else 0)
        ]

        private = [
            aws.ec2.Subnet(
                f"{resource_name}-private-{i}",
                vpc_id=vpc.id,
                cidr_block=private_subnets[i],
                availability_zone=zone_name,
                tags={"Name": f"{label}-private-{i}"},
                opts=pulumi.ResourceOptions(parent=self),
            )
            for i, zone_name in enumerate(zone_names)
        ]

        gateway = (
            aws.ec2.InternetGateway(
                f"{resource_name}-gateway",
                vpc_id=vpc.id,
                opts=pulumi.ResourceOptions(parent=self),
            )
            if len(public_subnets) > 0
            else None
        )

        # Who is outside may come in, and everybody may answer.
        aws.ec2.SecurityGroup(
            f"{resource_name}-web",
            vpc_id=vpc.id,
            description=f"Web servers of {label}",
            ingress=[
                {
                    "protocol": "tcp",
                    "from_port": port,
                    "to_port": port,
                    "cidr_blocks": ["0.0.0.0/0"],
                }
                for port in [80, 443]
            ],
            egress=[
                {
                    "protocol": "-1",
                    "from_port": 0,
                    "to_port": 0,
                    "cidr_blocks": ["0.0.0.0/0"],
                }
            ],
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.vpc_id = vpc.id
        self.public_subnet_ids = pulumi.Output.all(*[subnet.id for subnet in public])
        self.private_subnet_ids = pulumi.Output.all(*[subnet.id for subnet in private])

        self.register_outputs(
            {
                "vpcId": self.vpc_id,
                "publicSubnetIds": self.public_subnet_ids,
                "privateSubnetIds": self.private_subnet_ids,
            }
        )
