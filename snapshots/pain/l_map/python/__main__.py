import pulumi
import pulumi_random as random

pet = random.RandomPet("pet", keepers={"a": "1"})

pulumi.export("o", {"a": pet.id, "n": 1, "l": ["x"]})
