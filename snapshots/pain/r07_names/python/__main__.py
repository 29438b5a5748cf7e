import pulumi
import pulumi_random as random

random_pet = random.RandomPet("random")
pulumi_random_pet = random.RandomPet("pulumi", prefix=random_pet.id)
this = random.RandomPet("this", prefix=pulumi_random_pet.id)
lambda_ = random.RandomPet("lambda", prefix=this.id)
ctx = random.RandomPet("ctx", prefix=lambda_.id)
err = random.RandomPet("err", prefix=ctx.id)
string = random.RandomPet("string", prefix=err.id)
config = random.RandomPet("config", prefix=string.id)
main = random.RandomPet("main", prefix=config.id)
json = random.RandomPet("json", prefix=main.id)

pulumi.export("o", pulumi.Output.json_dumps({"a": json.id}))
