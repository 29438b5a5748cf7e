import pulumi
import pulumi_random as random

ctx = random.RandomPet("ctx")

pulumi.export("o", ctx.id)
