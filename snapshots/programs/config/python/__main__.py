# Every type a setting can have, with and without a default.

from typing import Any

import pulumi


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
text = config.require("text")
count = config.get_int("count", 3)
ratio = config.get_float("ratio", 0.5)
verbose = config.get_bool("verbose", False)
anything = config.get_object("anything", {"mode": "auto"})
names = config.require_object("names")
ports = config.get_object("ports", [80, 443])
labels = config.get_object("labels", {"team": "web"})
pair = config.get_object("pair", ["a", 1])

# Where to connect to
server = require_members(
    config.get_object("server", {"host": "localhost", "port": 8080, "tags": []}),
    "config.pp:37:8: server",
    "host",
    "port",
    "tags",
)

maybe = config.get("maybe")
nothing = config.get("nothing")
token = config.require_secret("token")
keys = config.get_secret_object("keys", {"main": "hush"})
from_environment = config.get("from-environment", pulumi.get_stack())

pulumi.export(
    "all",
    [
        text,
        count,
        ratio,
        verbose,
        anything,
        names,
        ports,
        labels,
        pair,
        server,
        maybe,
        nothing,
        from_environment,
    ],
)

pulumi.export("host", f"{server['host']}:{server['port']}")
pulumi.export("secrets", [token, keys])
