import pulumi
import pulumi_random as random

config = pulumi.Config()
env = config.require("env")

a = random.RandomPet("a", prefix="p" if env == "prd" else None)

pulumi.export(
    "labels",
    {
        "isProd": "true" if env == "prd" else "false",
        "tier": 1 if env == "prd" or env == "tools" else 2,
    },
)

pulumi.export("t", a.id.apply(lambda id_: "y" if id_ == "x" else "n"))
