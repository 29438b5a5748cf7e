# A copy of a resource for each member of a list.

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
