import pulumi
import pulumi_random as random

config = pulumi.Config()
names = config.require_object("names")

sh = random.RandomShuffle("sh", inputs=names)

pulumi.export("first", names[0])
