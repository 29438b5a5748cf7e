# `[*]` and `.*` over plain lists, outputs and resources.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
servers = config.get_object("servers", [{"name": "a", "ports": [80]}])
thing = probe.Thing("thing")
many = [probe.Thing(f"many-{i}", label=f"many {i}") for i in range(2)]

pulumi.export("plainNames", [server.get("name") for server in servers])
pulumi.export("plainPorts", [server["ports"][0] for server in servers])
pulumi.export("eventual", thing.list.apply(lambda list_: [item.s for item in list_]))
pulumi.export("attributeSplat", [item.out for item in many])

pulumi.export(
    "nested",
    [item.list.apply(lambda list_: [item.s for item in list_]) for item in many],
)

last = probe.Thing("last", names=[item.out for item in many])
