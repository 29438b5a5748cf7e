# Choices between plain and eventual values; in chains; with null.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
production = config.get_bool("production", False)
size = config.get_int("size", 1)

thing = probe.Thing(
    "thing",
    label="large" if production else "small",
    size=4 if production else None,
    names=["a", "b"] if production else [],
    obj={"s": "x", "n": 1} if production else {"s": "y"},
)

second = probe.Thing(
    "second",
    label=thing.flag.apply(lambda flag: "on" if flag else "off"),
    size=thing.int.apply(lambda int_: int_ if int_ > 3 else size),
    plain_flag=production,
)

pulumi.export(
    "chain",
    (
        "one"
        if size == 1
        else ("two" if size == 2 else ("many" if production else "some"))
    ),
)

pulumi.export(
    "eventualCondition", thing.flag.apply(lambda flag: thing.out if flag else "nothing")
)

pulumi.export("eventualBranch", thing.out if production else "nothing")

pulumi.export(
    "missing", thing.maybe.apply(lambda maybe: "none" if maybe is None else maybe)
)
