# `[*]` over something that is no list: a list of that one thing, or of nothing.

from typing import Any

import pulumi
import pulumi_probe as probe


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
server = config.get_object("server", {"name": "a"})
require_members(server, "splat-one.pp:3:8: server", "name")
maybe = config.get("maybe")

thing = probe.Thing("thing")

pulumi.export("plain", [server["name"]])
pulumi.export("missing", [] if maybe is None else [maybe])

pulumi.export("eventual", thing.obj.apply(lambda obj: [] if obj is None else [obj.s]))
