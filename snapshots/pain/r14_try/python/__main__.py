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
