from decimal import Decimal
from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean


def number_text(value: float) -> str:
    """The shortest decimal form of a number, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

# Settings for a small web tier, one config value per type.
# Prefix of every name
name_prefix = config.get("namePrefix", "web")
replicas = config.get_int("replicas", 2)
threshold = config.get_float("threshold", 82.5)
monitoring = config.get_bool("monitoring", True)
regions = config.get_object("regions", ["nyc3", "fra1"])
labels = config.get_object("labels", {"team": "platform", "tier": "gold"})

# The network to create
network = config.require_object("network")
require_members(network, "main.pp:30:8: network", "name", "cidr", "private")

vpc = digitalocean.Vpc(
    "vpc",
    name=network["name"],
    ip_range=network["cidr"],
    region=regions[0],
    description=f"team {labels['team']}",
)

web = digitalocean.Droplet(
    "web",
    name=f"{name_prefix}-1",
    image="ubuntu-24-04-x64",
    size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
    region=regions[0],
    monitoring=monitoring,
    vpc_uuid=vpc.id,
)

cpu_alert = digitalocean.MonitorAlert(
    "cpuAlert",
    type="v1/insights/droplet/cpu",
    description=f"CPU above {number_text(threshold)}% on {name_prefix}",
    compare="GreaterThan",
    value=threshold,
    window="5m",
    entities=[web.id],
    alerts={"emails": ["ops@example.com"]},
)

pulumi.export("replicas", replicas)
pulumi.export("isPrivate", network["private"])
