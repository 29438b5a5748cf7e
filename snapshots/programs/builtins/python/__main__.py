# The functions that every program has.

import base64
import hashlib
import json
import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pulumi
import pulumi_probe as probe


def element(values: Sequence[Any], index: int) -> Any:
    """The element at an index that wraps around at the end."""
    return values[index % len(values)]


def grapheme_length(text: str) -> int:
    """The number of characters that a reader sees: marks and joined parts do not count."""
    length, before, flags = 0, "\n", 0
    for c in text:
        kind = unicodedata.category(c)
        flags = flags + 1 if "\U0001f1e6" <= c <= "\U0001f1ff" else 0
        alone = unicodedata.category(before) in ("Cc", "Zl", "Zp") or before == "\u200b"
        extends = kind[0] == "M" or c == "\u200d" or "\U0001f3fb" <= c <= "\U0001f3ff"
        joined = (before == "\u200d" and kind == "So") or before + c == "\r\n"
        length += not (joined or (extends and not alone) or (flags and flags % 2 == 0))
        before = c
    return length


def single_or_none(values: Sequence[Any]) -> Any:
    """The only element of a list, or None if it is empty."""
    if len(values) > 1:
        raise ValueError(f"expected at most one element, found {len(values)}")
    return values[0] if values else None


config = pulumi.Config()
names = config.get_object("names", ["a", "b"])
tags = config.get_object("tags", {"a": "1"})
count = config.get_int("count", 3)

thing = probe.Thing("thing", label=", ".join(names))

pulumi.export(
    "lists",
    [
        element(names, count),
        len(names),
        "a,b".split(","),
        list(range(3)),
        list(range(1, count)),
        single_or_none(["only"]),
    ],
)

pulumi.export(
    "maps",
    [
        tags.get("a", "none"),
        len(tags),
        [{"key": key, "value": value} for key, value in sorted(tags.items())],
    ],
)

pulumi.export("numbers", [max(1, count, 2), min(count, 4)])

pulumi.export(
    "texts",
    [
        json.dumps({"b": names, "a": count}),
        base64.b64encode("hi".encode()).decode(),
        base64.b64decode("aGk=").decode(),
        hashlib.sha1("hi".encode()).hexdigest(),
        grapheme_length("héllo"),
    ],
)

pulumi.export(
    "files",
    [
        Path("a.txt").read_text(encoding="utf-8"),
        base64.b64encode(Path("b.bin").read_bytes()).decode(),
        base64.b64encode(hashlib.sha256(Path("b.bin").read_bytes()).digest()).decode(),
    ],
)

pulumi.export(
    "surroundings",
    [
        pulumi.get_stack(),
        pulumi.get_project(),
        pulumi.get_organization(),
        os.getcwd(),
        pulumi.get_root_directory(),
    ],
)

pulumi.export(
    "eventual",
    [
        thing.names.apply(lambda names: "-".join(names)),
        thing.list.apply(len),
        thing.out.apply(lambda out: out.split(",")),
        thing.names.apply(lambda names: names[0]),
    ],
)

pulumi.export(
    "eventualJson",
    pulumi.Output.json_dumps(
        {"name": thing.out, "tags": thing.tags, "fixed": [1, True, None]}
    ),
)

pulumi.export("about", [thing.pulumi_resource_type, thing.pulumi_resource_name])
