# Converted from the Terraform configuration `environments`: one module, called for each environment.

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean

from network import Network


def try_(*attempts: Callable[[], Any]) -> Any:
    """The result of the first attempt that does not raise an error."""
    for attempt in attempts[:-1]:
        with suppress(Exception):
            return attempt()
    return attempts[-1]()


config = pulumi.Config()

# Region of all environments
region = config.get("region", "ams3")

# Networks of the administrators by office
admin_addresses = config.get_object(
    "adminAddresses", {"berlin": "198.51.100.0/24", "lisbon": "203.0.113.0/24"}
)

# Sizes that differ from the smallest one, by environment
machine_sizes = config.get_object("machineSizes", {"production": "s-2vcpu-2gb"})

staging = Network(
    "staging",
    environment="staging",
    region=region,
    ip_range="10.10.0.0/16",
    admin_addresses=[block for office, block in sorted(admin_addresses.items())],
    bastions={"main": {}},
)

production = Network(
    "production",
    environment="production",
    region=region,
    ip_range="10.20.0.0/16",
    admin_addresses=[block for office, block in sorted(admin_addresses.items())],
    bastions={
        "blue": {"size": machine_sizes.get("production", "s-1vcpu-1gb")},
        "green": {"image": "debian-12-x64"},
    },
)

peering = digitalocean.VpcPeering(
    "staging_production",
    name="staging-production",
    vpc_ids=[staging.vpc_id, production.vpc_id],
)

pulumi.export(
    "bastionAddresses",
    {"staging": staging.addresses, "production": production.addresses},
)

pulumi.export(
    "entryPoint",
    production.addresses.apply(
        lambda addresses: try_(lambda: addresses["blue"], lambda: "none")
    ),
)

pulumi.export(
    "keyPair", {"public": production.public_key, "private": production.private_key}
)
