import pulumi
import pulumi_random as random

pet = random.RandomPet("pet")
p2 = [random.RandomPet(f"p2-{i}", prefix=str(i)) for i in range(2)]

pulumi.export("a", pulumi.Output.format("p-{0}", pet.id))
pulumi.export("j", pulumi.Output.json_dumps({"a": pet.id}))
pulumi.export("c", pet.id.apply(lambda id_: 1 if id_ == "x" else 2))
