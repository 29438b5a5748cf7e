import pulumi
import pulumi_random as random

err = random.RandomPet("err")

pulumi.export("o", err.id)
