# A program in two files; each refers to the other.

import pulumi
import pulumi_probe as probe

port = 8080

server = probe.Thing("server", label=f"port {port}")

pulumi.export("address", pulumi.Output.format("http://{0}:{1}", server.out, port))
