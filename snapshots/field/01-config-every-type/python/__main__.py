from decimal import Decimal
from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean


def number_text(value: float) -> str:
    """The shortest decimal form of a number, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"


def require_members(value: Any, name: str, *paths: str) -> Any:
    """The configured value, whose members at the paths have to be set; `*` stands for each element."""

    def check(item: Any, place: str, step: str, *rest: str) -> None:
        if item is None:
            return
        if isinstance(item, list):
            for index, element in enumerate(item):
                check(element, f"{place}[{index}]", *rest)
        elif step == "*":
            for key, element in sorted(item.items()):
                check(element, f"{place}.{key}", *rest)
        else:
            member = step.replace("~1", "/")
            if rest:
                check(item.get(member), f"{place}.{member}", *rest)
            elif item.get(member) is None:
                raise ValueError(f"{place}.{member} is not set")

    if isinstance(value, pulumi.Output):
        return value.apply(lambda plain: require_members(plain, name, *paths))
    for path in paths:
        check(value, name, *path.split("/"))
    return value


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
network = require_members(
    config.require_object("network"), "main.pp:30:8: network", "name", "cidr", "private"
)

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
