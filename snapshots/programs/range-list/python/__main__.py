# A copy of a resource for each member of a list.

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

users = require_members(
    config.get_object("users", [{"name": "ann", "admin": True}]),
    "range-list.pp:3:8: users",
    "*/name",
    "*/admin",
)

zone = [
    probe.Thing(f"zone-{i}", label=f"{i}: {value}")
    for i, value in enumerate(["a", "b"])
]

user = [
    probe.Thing(
        f"user-{i}",
        label=value["name"],
        size=10 if value["admin"] else 1,
        opts=pulumi.ResourceOptions(parent=zone[0]),
    )
    for i, value in enumerate(users)
]

pulumi.export("users", [one.out for one in user])
