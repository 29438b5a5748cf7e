# `[*]` and `.*` over plain lists, outputs and resources.

from typing import Any

import pulumi
import pulumi_probe as probe


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
