# Text put together from plain values and from values that are known only at deployment.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
person = config.require("person")
many = config.get_int("many", 2)
formal = config.get_bool("formal", False)
items = config.get_object("items", ["a", "b"])

thing = probe.Thing("thing", label=f"plain {person}")

pulumi.export("onlyOne", many)
pulumi.export("plain", f"Hello {person}, {many} {{new}} messages, 100% $done")
pulumi.export("eventual", pulumi.Output.format("{0}/{1}", thing.out, thing.int))

pulumi.export(
    "both", pulumi.Output.format("{0}: {{{1}}} {2}", person, thing.out, many + 1)
)

pulumi.export("twice", pulumi.Output.format("{0} and {0}", thing.out))
pulumi.export("conditional", f"Dear {f'Dr. {person}' if formal else 'friend'},")
pulumi.export("joined", "".join([f"{i}={item};" for i, item in enumerate(items)]))

pulumi.export(
    "joinedEventually",
    thing.names.apply(lambda names: "".join([f"<{name}>" for name in names])),
)

pulumi.export("stripped", f"a{person}b")
pulumi.export("nested", f"outer inner {person} end")
