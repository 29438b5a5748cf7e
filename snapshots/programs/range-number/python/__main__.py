# So many copies of a resource.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
count = config.get_int("count", 2)

fixed = [probe.Thing(f"fixed-{i}", label=f"fixed-{i}") for i in range(3)]

counted = [
    probe.Thing(
        f"counted-{i}",
        label=fixed[i].out,
        size=i + 1,
        opts=pulumi.ResourceOptions(depends_on=fixed[0]),
    )
    for i in range(count)
]

pulumi.export("first", fixed[0].out)
pulumi.export("all", [thing.out for thing in counted])
pulumi.export("howMany", len(counted))
