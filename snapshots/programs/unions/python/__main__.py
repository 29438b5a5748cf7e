# Inputs that take values of more than one type.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
side = config.get_float("side", 2)

whole = probe.Thing(
    "whole", either=3, shape=probe.CircleArgs(form="circle", radius=1.5)
)

text = probe.Thing(
    "text",
    either="three",
    shape=probe.SquareArgs(form="square", side=side),
    shapes=[
        probe.SquareArgs(form="square", side=1),
        probe.CircleArgs(form="circle", radius=whole.num),
    ],
)
