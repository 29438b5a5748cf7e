# Parts of values, plain and eventual, by fixed and by computed keys.

import pulumi
import pulumi_probe as probe

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
        names[at],
        names[1],
        tags["a"],
        tags["a"],
        tags[key],
        [1, 2, 3][at],
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
