from collections.abc import Mapping, Sequence
from typing import Optional, cast

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_tls as tls


class Network(pulumi.ComponentResource):
    vpc_id: pulumi.Output[str]
    addresses: pulumi.Output[Mapping[str, str]]
    public_key: pulumi.Output[str]
    private_key: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        environment: str,
        region: str,
        # Addresses of the network; cannot be changed later
        ip_range: str,
        admin_addresses: Optional[pulumi.Input[Sequence[str]]] = None,
        # Machines to log in through, by name
        bastions: Mapping[str, Mapping[str, Optional[str]]],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Network",
            resource_name,
            {
                "environment": environment,
                "region": region,
                "ipRange": ip_range,
                "adminAddresses": admin_addresses,
                "bastions": bastions,
            },
            opts,
        )

        admin_addresses = [] if admin_addresses is None else admin_addresses

        labels = [f"environment:{environment}", "managed-by:pulumi"]

        this = digitalocean.Vpc(
            f"{resource_name}-this",
            name=f"{environment}-{region}",
            region=region,
            ip_range=ip_range,
            opts=pulumi.ResourceOptions(parent=self),
        )

        bastion_key = tls.PrivateKey(
            f"{resource_name}-bastion_key",
            algorithm="ED25519",
            opts=pulumi.ResourceOptions(parent=self),
        )

        bastion_public_key = digitalocean.SshKey(
            f"{resource_name}-bastion_public_key",
            name=f"{environment}-bastion",
            public_key=bastion_key.public_key_openssh,
            opts=pulumi.ResourceOptions(parent=self),
        )

        bastion = {
            key: digitalocean.Droplet(
                f"{resource_name}-bastion-{key}",
                name=f"{environment}-bastion-{key}",
                image=(
                    "ubuntu-24-04-x64"
                    if value.get("image") is None
                    else cast(str, value.get("image"))
                ),
                size=(
                    digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB
                    if value.get("size") is None
                    else cast(str, value.get("size"))
                ),
                region=region,
                vpc_uuid=this.id,
                ssh_keys=[bastion_public_key.fingerprint],
                tags=labels,
                opts=pulumi.ResourceOptions(parent=self),
            )
            for key, value in sorted(bastions.items())
        }

        digitalocean.Firewall(
            f"{resource_name}-bastion_firewall",
            name=f"{environment}-bastion",
            droplet_ids=[
                machine.id.apply(int) for name, machine in sorted(bastion.items())
            ],
            inbound_rules=[
                {
                    "protocol": "tcp",
                    "port_range": "22",
                    "source_addresses": admin_addresses,
                }
            ],
            outbound_rules=[
                {
                    "protocol": protocol,
                    "port_range": "all",
                    "destination_addresses": [ip_range],
                }
                for protocol in ["tcp", "udp"]
            ],
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.vpc_id = this.id

        self.addresses = pulumi.Output.all(
            **{name: machine.ipv4_address for name, machine in bastion.items()}
        ).apply(dict)

        self.public_key = bastion_key.public_key_openssh
        self.private_key = bastion_key.private_key_openssh

        self.register_outputs(
            {
                "vpcId": self.vpc_id,
                "addresses": self.addresses,
                "publicKey": self.public_key,
                "privateKey": self.private_key,
            }
        )
