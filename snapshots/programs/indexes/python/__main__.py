# Parts of values, plain and eventual, by fixed and by computed keys.

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_probe as probe


def item_at(values: Sequence[Any], index: int) -> Any:
    """The element at an index, which must exist."""
    if not 0 <= index < len(values):
        raise IndexError(f"index {index} is out of range of {len(values)} elements")
    return values[index]


config = pulumi.Config()
names = config.get_object("names", ["a", "b"])
tags = config.get_object("tags", {"a": "1"})
at = config.get_int("at", 1)
key = config.get("key", "a")

thing = probe.Thing("thing")

pulumi.export(
    "plain",
    [
        names[0],
        item_at(names, at),
        names[1],
        tags["a"],
        tags["a"],
        tags[key],
        item_at([1, 2, 3], at),
        {"a": 1}["a"],
    ],
)

pulumi.export(
    "eventual",
    [
        thing.names[0],
        thing.names[at],
        thing.tags["a"],
        thing.tags[key],
        thing.list[at].inner.s,
    ],
)

pulumi.export("keyIsEventual", thing.out.apply(lambda out: tags[out]))
