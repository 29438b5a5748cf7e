import pulumi
import pulumi_random as random

p = random.RandomPet("p", keepers={"a": "b"})
q = random.RandomPet("q", prefix=p.keepers["a"])

pulumi.export("o", p.keepers["a"])
