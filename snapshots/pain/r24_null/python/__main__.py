import pulumi
import pulumi_random as random

pet = random.RandomPet("pet", prefix=None, keepers={})
sh = random.RandomShuffle("sh", inputs=[])

pulumi.export("n", None)
pulumi.export("o", [])
pulumi.export("p", {})
