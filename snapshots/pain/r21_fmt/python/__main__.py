import pulumi
import pulumi_random as random

pet = random.RandomPet("pet")

pulumi.export("a", pulumi.Output.format("100% of {0} %d %%", pet.id))
pulumi.export("b", pet.id.apply(lambda id_: {f"k-%v-{id_}": 1}))
pulumi.export("c", pet.id.apply(lambda id_: {id_: 2}))
