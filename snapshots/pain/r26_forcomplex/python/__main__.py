from collections.abc import Iterable
from typing import Any

import pulumi


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


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


def unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs whose keys differ."""
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"two elements have the key {key!r}")
        result[key] = value
    return result


config = pulumi.Config()

users = require_members(
    config.require_object("users"), "main.pp:1:8: users", "*/name", "*/tags"
)

by_name = unique_keys([(u["name"], u["tags"]) for u in users if u["name"] != "x"])
grp = group_by([(u["name"], u["tags"]) for u in users])
nested = [[f"{k}={v}" for k, v in sorted(u["tags"].items())] for u in users]

pulumi.export("a", by_name)
pulumi.export("b", grp)
pulumi.export("c", nested)
