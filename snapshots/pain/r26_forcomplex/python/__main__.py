from collections.abc import Iterable
from typing import Any

import pulumi


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs whose keys differ."""
    if len(result := dict(pairs)) < len(pairs):
        raise ValueError("two elements have the same key")
    return result


config = pulumi.Config()
users = config.require_object("users")
for index, user in enumerate(users):
    require_members(user, f"main.pp:1:8: users[{index}]", "name", "tags")

by_name = unique_keys([(u["name"], u["tags"]) for u in users if len(u["tags"]) > 1])
grp = group_by([(u["name"], u["tags"]) for u in users])
nested = [[f"{k}={v}" for k, v in sorted(u["tags"].items())] for u in users]

pulumi.export("a", by_name)
pulumi.export("b", grp)
pulumi.export("c", nested)
