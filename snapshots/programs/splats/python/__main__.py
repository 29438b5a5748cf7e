# `[*]` and `.*` over plain lists, outputs and resources.

from typing import Any

import pulumi
import pulumi_probe as probe


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
servers = config.get_object("servers", [{"name": "a", "ports": [80]}])
for index, server in enumerate(servers):
    require_members(server, f"splats.pp:3:8: servers[{index}]", "name", "ports")

thing = probe.Thing("thing")
many = [probe.Thing(f"many-{i}", label=f"many {i}") for i in range(2)]
last = probe.Thing("last", names=[item.out for item in many])

pulumi.export("plainNames", [server["name"] for server in servers])
pulumi.export("plainPorts", [server["ports"][0] for server in servers])
pulumi.export("eventual", thing.list.apply(lambda list_: [item.s for item in list_]))
pulumi.export("attributeSplat", [item.out for item in many])

pulumi.export(
    "nested",
    [item.list.apply(lambda list_: [item.s for item in list_]) for item in many],
)
