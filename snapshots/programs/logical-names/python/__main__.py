# Names that the engine sees, where they differ from those in the program.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
region = config.get("cloud-region", "north")

thing = probe.Thing("the thing", label=region)
many = [probe.Thing(f"copy-{i}", label=value) for i, value in enumerate(["a", "b"])]

pulumi.export("some.output", thing.out)
