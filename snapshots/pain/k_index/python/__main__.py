import pulumi
import pulumi_random as random

sh = random.RandomShuffle("sh", inputs=["a"])
p = random.RandomPet("p", prefix=sh.results[0])

pulumi.export("o", pulumi.Output.format("{0}-{1}", sh.results[0], p.id))
