import pulumi
import pulumi_random as random

pet = random.RandomPet("pet")

local = pet.id

b = random.RandomPet("b", prefix=pulumi.Output.format("{0}-b", local))

pulumi.export("o", [pet.id, "lit"])
