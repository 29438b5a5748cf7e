from collections.abc import Iterable
from typing import Any

import pulumi


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


config = pulumi.Config()
users = config.require_object("users")
by_name = {u.get("name"): u.get("tags") for u in users if u.get("name") != "x"}
grp = group_by([(u.get("name"), u.get("tags")) for u in users])
nested = [[f"{k}={v}" for k, v in sorted(u.get("tags").items())] for u in users]

pulumi.export("a", by_name)
pulumi.export("b", grp)
pulumi.export("c", nested)
