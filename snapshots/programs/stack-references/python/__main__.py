# Values of other stacks.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
base = config.get("base", "acme/network/prod")
network = pulumi.StackReference("network", stack_name=base)
thing = probe.Thing("thing", label=network.get_output("vpcId"))

pulumi.export("vpc", network.outputs["vpcId"])

pulumi.export(
    "address", pulumi.Output.format("https://{0}/", network.get_output("host"))
)
