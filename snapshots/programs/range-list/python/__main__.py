# A copy of a resource for each member of a list.

from typing import Any

import pulumi
import pulumi_probe as probe


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
users = config.get_object("users", [{"name": "ann", "admin": True}])
for index, item in enumerate(users):
    require_members(item, f"range-list.pp:3:8: users[{index}]", "name", "admin")

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
