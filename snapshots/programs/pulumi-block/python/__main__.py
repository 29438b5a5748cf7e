# The versions of Pulumi that the program works with.

import pulumi

pulumi.require_pulumi_version(">=3.100.0")

pulumi.export("version", "3.100.0 or newer")
