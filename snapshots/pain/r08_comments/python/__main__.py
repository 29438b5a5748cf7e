import pulumi
import pulumi_random as random

config = pulumi.Config()

# leading config
# trailing config
# inside config
# default
env = config.get("env", "dev")

# leading local
names = [
    # opening
    # before a
    "a",  # after a
    "b",
    # tail in list
]

# block
# comment
# head
sh = random.RandomShuffle(
    "sh",
    # before inputs
    inputs=names,  # after inputs
    # only comment
    result_count=1,
    opts=pulumi.ResourceOptions(
        # opts
        # before protect
        protect=True,  # after protect
    ),
    # tail in resource
)

# out
# inside out
pulumi.export(
    "o",
    {
        # obj
        # k1
        "k1": env,  # aft k1
        # tail obj
    },
)

# end of file
