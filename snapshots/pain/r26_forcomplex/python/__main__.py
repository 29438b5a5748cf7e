from collections.abc import Iterable
from typing import Any

import pulumi


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


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


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs whose keys differ."""
    if len(result := dict(pairs)) < len(pairs):
        raise ValueError("two elements have the same key")
    return result


config = pulumi.Config()

users = require_members(
    config.require_object("users"), "main.pp:1:8: users", "*/name", "*/tags"
)

by_name = unique_keys([(u["name"], u["tags"]) for u in users if len(u["tags"]) > 1])
grp = group_by([(u["name"], u["tags"]) for u in users])
nested = [[f"{k}={v}" for k, v in sorted(u["tags"].items())] for u in users]

pulumi.export("a", by_name)
pulumi.export("b", grp)
pulumi.export("c", nested)
