import pulumi
import pulumi_random as random

pets = [random.RandomPet(f"pets-{i}", prefix=f"p-{i}") for i in range(2)]

pulumi.export("all", [pet.id for pet in pets])
pulumi.export("first", pets[0].id)
