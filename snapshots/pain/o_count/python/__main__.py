import pulumi
import pulumi_random as random

config = pulumi.Config()
many = config.get_float("many", 2)
some = [random.RandomPet(f"some-{i}") for i in range(int(many))]

pulumi.export("ids", [p.id for p in some])
