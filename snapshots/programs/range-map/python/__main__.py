# A copy of a resource for each member of a map.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()

machines = config.get_object(
    "machines", {"front": {"size": 2}, "back": {"size": 4, "peer": "front"}}
)

machine = {
    key: probe.Thing(
        f"machine-{key}",
        label=f"{key}-machine",
        size=value.get("size"),
        maybe=value.get("peer"),
    )
    for key, value in sorted(machines.items())
}

pulumi.export("addresses", {name: one.out for name, one in machine.items()})
pulumi.export("front", machine["front"].out)
