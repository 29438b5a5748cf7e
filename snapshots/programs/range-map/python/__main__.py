# A copy of a resource for each member of a map.

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
