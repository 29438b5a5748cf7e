# `[*]` over something that is no list: a list of that one thing, or of nothing.

from typing import Any

import pulumi
import pulumi_probe as probe


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


config = pulumi.Config()

server = require_members(
    config.get_object("server", {"name": "a"}), "splat-one.pp:3:8: server", "name"
)

maybe = config.get("maybe")
thing = probe.Thing("thing")

pulumi.export("plain", [server["name"]])
pulumi.export("missing", [] if maybe is None else [maybe])

pulumi.export("eventual", thing.obj.apply(lambda obj: [] if obj is None else [obj.s]))
