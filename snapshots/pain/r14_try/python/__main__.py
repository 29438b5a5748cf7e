from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pulumi


def can_(attempt: Callable[[], Any]) -> bool:
    """Whether the attempt does not raise an error."""
    with suppress(Exception):
        attempt()
        return True
    return False


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
o = config.require_object("o")
require_members(o, "main.pp:1:8: o", "a")

x = o["a"]
y = can_(lambda: o["a"])

pulumi.export("x", x)
pulumi.export("y", y)
