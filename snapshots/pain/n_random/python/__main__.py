import pulumi
import pulumi_random as random

random_pet = random.RandomPet("random")
b = random.RandomPet("b", prefix=random_pet.id)

pulumi.export("o", b.id)
