import pulumi
import pulumi_random as random

config = pulumi.Config()
pw = config.require_secret("pw")

p = random.RandomPet("p", prefix=pw)

pulumi.export("o", pw)
