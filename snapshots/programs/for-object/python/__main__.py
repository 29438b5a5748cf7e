# Objects made from collections; values grouped by key.

import unicodedata
from collections.abc import Iterable
from typing import Any

import pulumi
import pulumi_probe as probe


def grapheme_length(text: str) -> int:
    """The number of characters that a reader sees: marks and joined parts do not count."""
    length, joined, flags = 0, False, 0
    for c in text:
        flag = "\U0001f1e6" <= c <= "\U0001f1ff"
        flags = flags + 1 if flag else 0
        extends = unicodedata.category(c) in ("Mn", "Mc", "Me") or c == "\u200d"
        modifier = "\U0001f3fb" <= c <= "\U0001f3ff"
        if not (extends or modifier or joined or (flag and flags % 2 == 0)):
            length += 1
        joined = c == "\u200d"
    return length


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


config = pulumi.Config()
names = config.get_object("names", ["ann", "ben"])
teams = config.get_object("teams", {"ann": "web", "ben": "web", "cleo": "data"})
thing = probe.Thing("thing", tags={name: f"number {i}" for i, name in enumerate(names)})

pulumi.export(
    "inverted", group_by([(team, person) for person, team in sorted(teams.items())])
)

pulumi.export(
    "filtered",
    {
        person: {"team": team, "lead": person == "ann"}
        for person, team in teams.items()
        if team != "data"
    },
)

pulumi.export(
    "groupedLengths", group_by([(str(grapheme_length(name)), name) for name in names])
)

pulumi.export(
    "overOutput", thing.list.apply(lambda list_: {item.s: item.n for item in list_})
)

pulumi.export(
    "groupedOverOutput",
    thing.list.apply(lambda list_: group_by([(item.s, item.n) for item in list_])),
)

pulumi.export(
    "outputValues",
    {name: pulumi.Output.format("{0}/{1}", thing.out, name) for name in names},
)
