# The first lines of the file say what it is for.
# There are two of them.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()

# Above a setting,
# twice.
# beside its head
# above its default
# beside its default
size = config.get_int("size", 1)

# A block comment
# over two lines.
prefix = "a"  # beside a local

# Set apart: belongs to nothing below.

# Above a resource.
thing = probe.Thing(
    "thing",
    # Above an input.
    label=prefix,  # beside an input
    # before a list
    names=[
        # above an element
        "first",  # beside an element
        "second",
        # after the last element
    ],
    obj={
        "s": "x",  # beside a member
        # above another member
        "n": size,
    },
    opts=pulumi.ResourceOptions(
        # Before the options.
        protect=True,  # beside an option
    ),
    # At the end of the block.
)

# Above an output.
pulumi.export("result", thing.out)  # */ """ not to be trusted

# The last line.
