# A list as the last arguments of a function.

import pulumi

config = pulumi.Config()
size = config.get_int("size", 2)

pulumi.export("largest", max(3, size, 1))
pulumi.export("withOthers", max(0, size, 5))
