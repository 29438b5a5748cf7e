import pulumi
import pulumi_random as random

config = pulumi.Config()
many = config.get_int("many", 2)

some = [random.RandomPet(f"some-{i}") for i in range(many)]

pulumi.export("ids", [p.id for p in some])
