# Providers of one's own.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
region = config.get("region", "south")

regional = probe.Provider(
    "regional",
    region=region,
    opts=pulumi.ResourceOptions(env_var_mappings={"PROBE_TOKEN": "SOUTH_TOKEN"}),
)

thing = probe.Thing(
    "thing", label=f"in {region}", opts=pulumi.ResourceOptions(provider=regional)
)

group = probe.Group(
    "group", size=2, opts=pulumi.ResourceOptions(providers={"probe": regional})
)

pulumi.export(
    "asked",
    probe.get_thing_output(
        name="a", opts=pulumi.InvokeOutputOptions(provider=regional)
    ).result,
)

pulumi.export("inner", group.thing.out)
