# A resource that there is or is not.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
enabled = config.get_bool("enabled", True)

always = probe.Thing("always")
sometimes = probe.Thing("sometimes", label=always.out) if enabled else None

pulumi.export(
    "name",
    (sometimes.out if sometimes is not None else None) if enabled else always.out,
)

pulumi.export("maybe", sometimes.out if sometimes is not None else None)
