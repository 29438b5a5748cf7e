# A copy of a resource for each member of a map.

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

machines = require_members(
    config.get_object(
        "machines", {"front": {"size": 2}, "back": {"size": 4, "peer": "front"}}
    ),
    "range-map.pp:3:8: machines",
    "*/size",
)

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
