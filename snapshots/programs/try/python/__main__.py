# Attempts that may fail.

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Optional

import pulumi
import pulumi_probe as probe


def can_(attempt: Callable[[], Any]) -> bool:
    """Whether the attempt does not raise an error."""
    with suppress(Exception):
        attempt()
        return True
    return False


def json_or_text(text: Optional[str], default: Any = None) -> Any:
    """The JSON value in a text of the configuration, or the text itself."""
    try:
        return default if text is None else json.loads(text, parse_constant=str)
    except ValueError:
        return text


def try_(*attempts: Callable[[], Any]) -> Any:
    """The result of the first attempt that does not raise an error."""
    for attempt in attempts[:-1]:
        with suppress(Exception):
            return attempt()
    return attempts[-1]()


config = pulumi.Config()
settings = json_or_text(config.get("settings"), {"a": {"b": "deep"}})

thing = probe.Thing("thing")

pulumi.export(
    "plain", try_(lambda: settings["a"]["b"], lambda: settings["c"], lambda: "none")
)

pulumi.export("possible", can_(lambda: settings["a"]["x"]))

pulumi.export(
    "eventual",
    thing.list.apply(lambda list_: try_(lambda: list_[3].s, lambda: "short")),
)

pulumi.export("recovered", thing.out.recover(lambda error: f"failed: {error}"))
