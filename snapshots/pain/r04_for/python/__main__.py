from collections.abc import Iterable
from typing import Any

import pulumi


def unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs whose keys differ."""
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"two elements have the key {key!r}")
        result[key] = value
    return result


names = ["a", "b"]
upper = [f"{n}-x" for n in names]
m = unique_keys([(n, i) for i, n in enumerate(names)])

pulumi.export("o", upper)
pulumi.export("mm", m)
