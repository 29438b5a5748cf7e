# A copy of a resource for each member of a list.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
users = config.get_object("users", [{"name": "ann", "admin": True}])

zone = [
    probe.Thing(f"zone-{i}", label=f"{i}: {value}")
    for i, value in enumerate(["a", "b"])
]

user = [
    probe.Thing(
        f"user-{i}",
        label=value.get("name"),
        size=10 if value.get("admin") else 1,
        opts=pulumi.ResourceOptions(parent=zone[0]),
    )
    for i, value in enumerate(users)
]

pulumi.export("users", [one.out for one in user])
