# `[*]` over something that is no list: a list of that one thing, or of nothing.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
server = config.get_object("server", {"name": "a"})
maybe = config.get("maybe")
thing = probe.Thing("thing")

pulumi.export("plain", [server.get("name")])
pulumi.export("missing", [] if maybe is None else [maybe])

pulumi.export("eventual", thing.obj.apply(lambda obj: [] if obj is None else [obj.s]))
