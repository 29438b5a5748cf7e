from decimal import Decimal
from typing import Any

import pulumi
import pulumi_random as random


def not_implemented(message: str) -> Any:
    raise NotImplementedError(message)


def pairs(collection: Any) -> list[tuple[Any, Any]]:
    """Keys and values of a dict in the order of the keys, or positions and elements of a list."""
    if isinstance(collection, dict):
        return sorted(collection.items())
    if not isinstance(collection, list):
        raise TypeError(f"expected a list or a dict, found {collection!r}")
    return list(enumerate(collection))


def to_text(value: Any) -> Any:
    """The text of a string, a number or a bool, as PCL writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{Decimal(repr(value)).normalize():f}"
    if isinstance(value, (dict, list)):
        raise TypeError(f"expected text, found {value!r}")
    return value if value is None else str(value)


config = pulumi.Config()
e = config.require_bool("e")

src: Any = not_implemented("x") if e else {}

a = [random.RandomPet(f"a-{i}", prefix=to_text(i)) for i, _ in pairs(src)]
