import pulumi
import pulumi_probe as probe

# Functions of a resource.
thing = probe.Thing("thing")

pulumi.export("text", thing.describe(style="short").text)
pulumi.export("size", thing.measure())
