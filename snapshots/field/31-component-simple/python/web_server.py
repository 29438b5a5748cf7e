from collections.abc import Sequence
from typing import Optional

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random


class WebServer(pulumi.ComponentResource):
    address: pulumi.Output[str]
    port: pulumi.Output[int]

    def __init__(
        self,
        resource_name: str,
        *,
        # Name of the server
        name: str,
        image: pulumi.Input[str],
        region: Optional[pulumi.Input[str]] = None,
        tags: Optional[pulumi.Input[Sequence[str]]] = None,
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:WebServer",
            resource_name,
            {"name": name, "image": image, "region": region, "tags": tags},
            opts,
        )

        region = "nyc3" if region is None else region
        tags = [] if tags is None else tags

        suffix = random.RandomId(
            f"{resource_name}-suffix",
            byte_length=2,
            opts=pulumi.ResourceOptions(parent=self),
        )

        server = digitalocean.Droplet(
            f"{resource_name}-server",
            name=pulumi.Output.format("{0}-{1}", name, suffix.hex),
            image=image,
            size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
            region=region,
            tags=tags,
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.address = server.ipv4_address
        self.port = pulumi.Output.from_input(8080)

        self.register_outputs({"address": self.address, "port": self.port})
