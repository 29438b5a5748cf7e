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


def try_(*attempts: Callable[[], Any]) -> Any:
    """The result of the first attempt that does not raise an error."""
    for attempt in attempts[:-1]:
        try:
            return attempt()
        except Exception:
            pass
    return attempts[-1]()


config = pulumi.Config()
o = require_members(config.require_object("o"), "main.pp:1:8: o", "a")
x = try_(lambda: o["a"], lambda: "d")
y = can_(lambda: o["a"])

pulumi.export("x", x)
pulumi.export("y", y)
