# Every type a setting can have, with and without a default.

import json
from typing import Any, Optional

import pulumi


def json_or_text(text: Optional[str], default: Any = None) -> Any:
    """The JSON value in a text of the configuration, or the text itself."""
    try:
        return default if text is None else json.loads(text, parse_constant=str)
    except ValueError:
        return text


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
text = config.require("text")
count = config.get_int("count", 3)
ratio = config.get_float("ratio", 0.5)
verbose = config.get_bool("verbose", False)
anything = json_or_text(config.get("anything"), {"mode": "auto"})
names = config.require_object("names")
ports = config.get_object("ports", [80, 443])
labels = config.get_object("labels", {"team": "web"})
pair = config.get_object("pair", ["a", 1])

# Where to connect to
server = config.get_object("server", {"host": "localhost", "port": 8080, "tags": []})
require_members(server, "config.pp:37:8: server", "host", "port", "tags")
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
