# A copy of a resource for each member of a map.

from typing import Any

import pulumi
import pulumi_probe as probe


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

machines = config.get_object(
    "machines", {"front": {"size": 2}, "back": {"size": 4, "peer": "front"}}
)
for key, item in sorted(machines.items()):
    require_members(item, f"range-map.pp:3:8: machines.{key}", "size")

machine = {
    key: probe.Thing(
        f"machine-{key}",
        label=f"{key}-machine",
        size=value["size"],
        maybe=value.get("peer"),
    )
    for key, value in sorted(machines.items())
}

pulumi.export("addresses", {name: one.out for name, one in machine.items()})
pulumi.export("front", machine["front"].out)
