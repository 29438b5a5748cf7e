from typing import Any

import pulumi
import pulumi_random as random


def not_implemented(message: str) -> Any:
    raise NotImplementedError(message)


def pairs(collection: Any) -> list[tuple[Any, Any]]:
    """Keys and values of a dict in the order of the keys, or positions and elements of a list."""
    if isinstance(collection, dict):
        return sorted(collection.items())
    return list(enumerate(collection))


config = pulumi.Config()
e = config.require_bool("e")
src = not_implemented("x") if e else {}
a = [random.RandomPet(f"a-{i}", prefix=i) for i, _ in pairs(src)]
