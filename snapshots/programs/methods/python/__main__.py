# Functions of a resource.

import pulumi
import pulumi_probe as probe

thing = probe.Thing("thing")

pulumi.export("text", thing.describe(style="short").text)
pulumi.export("size", thing.measure())
