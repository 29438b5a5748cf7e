import pulumi
import pulumi_random as random

config = pulumi.Config()

# Who the pets belong to.
owner = config.require("owner")

# One name for each pet.
name = [random.RandomPet(f"name-{i}", prefix=owner) for i in range(2)]

pulumi.export("names", [random_pet.id for random_pet in name])
