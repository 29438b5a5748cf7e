import pulumi
import pulumi_probe as probe

# What an output is may be used by its name.
port = 80
place = "here"

thing = probe.Thing("thing", out=f"port {port} of {place}")

made = thing.out

# The port of the service.
pulumi.export("port", port)
pulumi.export("place", place)
pulumi.export("made", made)
pulumi.export("whole", [made, pulumi.Output.format("{0}:{1}", made, port)])
