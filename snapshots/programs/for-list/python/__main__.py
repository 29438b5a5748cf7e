# Lists made from collections.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
names = config.get_object("names", ["ann", "ben"])
sizes = config.get_object("sizes", {"small": 1, "large": 10})

thing = probe.Thing(
    "thing",
    names=[f"user-{name}" for name in names],
    list=[{"s": name, "n": i} for i, name in enumerate(names) if name != "root"],
)

pulumi.export("literal", [n * 2 for n in [1, 2, 3] if n > 1])
pulumi.export("overMap", [f"{key}={size}" for key, size in sorted(sizes.items())])
pulumi.export("overMapValues", [size + 1 for _, size in sorted(sizes.items())])

pulumi.export(
    "nested",
    [
        [f"{name}-{key}" for key, size in sorted(sizes.items()) if size > 1]
        for name in names
    ],
)

pulumi.export(
    "overOutput",
    thing.list.apply(lambda list_: [item.s for item in list_ if item.s != "root"]),
)

pulumi.export(
    "outputInside",
    [pulumi.Output.format("{0}: {1}", name, thing.out) for name in names],
)

pulumi.export(
    "outputCondition",
    thing.out.apply(lambda out: [name for name in names if name != out]),
)
