# `[*]` over something that is no list: a list of that one thing, or of nothing.

from typing import Any

import pulumi
import pulumi_probe as probe


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


config = pulumi.Config()

server = require_members(
    config.get_object("server", {"name": "a"}), "splat-one.pp:3:8: server", "name"
)

maybe = config.get("maybe")
thing = probe.Thing("thing")

pulumi.export("plain", [server["name"]])
pulumi.export("missing", [] if maybe is None else [maybe])

pulumi.export("eventual", thing.obj.apply(lambda obj: [] if obj is None else [obj.s]))
