import pulumi
import pulumi_random as random

prov = random.Provider("prov")
b = random.RandomPet("b")

a = random.RandomPet(
    "a",
    opts=pulumi.ResourceOptions(
        aliases=["urn:x"],
        parent=b,
        provider=prov,
        depends_on=b,
        retain_on_delete=True,
        ignore_changes=["prefix"],
        delete_before_replace=True,
        custom_timeouts=pulumi.CustomTimeouts(create="5m"),
    ),
)
