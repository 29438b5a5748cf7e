from collections.abc import Callable
from typing import Any

import pulumi


def can_(attempt: Callable[[], Any]) -> bool:
    """Whether the attempt does not raise an error."""
    try:
        attempt()
        return True
    except Exception:
        return False


def try_(*attempts: Callable[[], Any]) -> Any:
    """The result of the first attempt that does not raise an error."""
    for attempt in attempts[:-1]:
        try:
            return attempt()
        except Exception:
            pass
    return attempts[-1]()


config = pulumi.Config()
o = config.require_object("o")
x = try_(lambda: o.get("a"), lambda: "d")
y = can_(lambda: o.get("a"))

pulumi.export("x", x)
pulumi.export("y", y)
