# Objects within objects, in inputs and in outputs.

from typing import Any, cast

import pulumi
import pulumi_probe as probe

thing = probe.Thing(
    "thing",
    obj={
        "s": "outer",
        "n": 1,
        "inner": {"s": "inner", "when": "now"},
        "tags": ["a", "b"],
    },
    list=[{"s": "one"}, {"s": "two", "inner": {"s": "deep"}}],
    tags={"plain": "1", "with space": "2", "with-dash": "3"},
    any={"free": {"form": [1, "a", None]}},
)

second = probe.Thing(
    "second",
    obj=cast(pulumi.Output[Any], thing.obj),
    list=cast(pulumi.Output[Any], thing.list),
    label=thing.obj.inner.s,
    size=thing.list[0].n,
    maybe=thing.tags["with-dash"],
)

pulumi.export("deep", thing.obj.inner.when)

pulumi.export(
    "computedKeys",
    thing.out.apply(lambda out: {out: 1, f"{out}-second": 2, "fixed": 3}),
)

pulumi.export("whole", thing)
