# `[*]` and `.*` over plain lists, outputs and resources.

from typing import Any

import pulumi
import pulumi_probe as probe


def require_members(value: Any, place: str, *paths: str) -> Any:
    """The value, whose members at the paths have to be set; `*` stands for each element."""
    if isinstance(value, pulumi.Output):
        return value.apply(lambda plain: require_members(plain, place, *paths))
    if value is None:
        return None
    for step, _, rest in (path.partition("/") for path in paths):
        if isinstance(value, list):
            members = [(f"[{index}]", item) for index, item in enumerate(value)]
        else:
            names = sorted(value) if step == "*" else [step.replace("~1", "/")]
            members = [(f".{name}", value.get(name)) for name in names]
        for name, member in members:
            if rest:
                require_members(member, place + name, rest)
            elif member is None:
                raise ValueError(f"{place}{name} is not set")
    return value


config = pulumi.Config()

servers = require_members(
    config.get_object("servers", [{"name": "a", "ports": [80]}]),
    "splats.pp:3:8: servers",
    "*/name",
    "*/ports",
)

thing = probe.Thing("thing")
many = [probe.Thing(f"many-{i}", label=f"many {i}") for i in range(2)]

pulumi.export("plainNames", [server["name"] for server in servers])
pulumi.export("plainPorts", [server["ports"][0] for server in servers])
pulumi.export("eventual", thing.list.apply(lambda list_: [item.s for item in list_]))
pulumi.export("attributeSplat", [item.out for item in many])

pulumi.export(
    "nested",
    [item.list.apply(lambda list_: [item.s for item in list_]) for item in many],
)

last = probe.Thing("last", names=[item.out for item in many])
