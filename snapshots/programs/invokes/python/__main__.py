# Functions of a package.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
name = config.get("name", "x")

thing = probe.Thing("thing")

plain = probe.get_thing_output(name=name, count=2)
eventual = probe.get_thing_output(name=thing.out)
all_ = probe.get_all_output()
joined = probe.join_output("a", "b")
scalar = probe.scalar_output(x="y")

user = probe.Thing("user", label=plain.result, names=all_.names)

pulumi.export("results", [plain.result, eventual.result, joined.result, scalar])

pulumi.export(
    "members", plain.list.apply(lambda list_: [f"member {one}" for one in list_])
)

pulumi.export(
    "withOptions",
    probe.get_thing_output(
        name="z", opts=pulumi.InvokeOutputOptions(parent=thing, depends_on=user)
    ).result,
)
