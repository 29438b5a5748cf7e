# Objects made from collections; values grouped by key.

import pulumi
import pulumi_probe as probe

from _helpers import grapheme_length, group_by, unique_keys

config = pulumi.Config()
names = config.get_object("names", ["ann", "ben"])
teams = config.get_object("teams", {"ann": "web", "ben": "web", "cleo": "data"})

thing = probe.Thing(
    "thing", tags=unique_keys([(name, f"number {i}") for i, name in enumerate(names)])
)

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
    "overOutput",
    thing.list.apply(lambda list_: unique_keys([(item.s, item.n) for item in list_])),
)

pulumi.export(
    "groupedOverOutput",
    thing.list.apply(lambda list_: group_by([(item.s, item.n) for item in list_])),
)

pulumi.export(
    "outputValues",
    unique_keys(
        [(name, pulumi.Output.format("{0}/{1}", thing.out, name)) for name in names]
    ),
)
