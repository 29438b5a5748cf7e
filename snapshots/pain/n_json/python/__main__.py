import pulumi
import pulumi_random as random

json = random.RandomPet("json")

pulumi.export("o", pulumi.Output.json_dumps({"a": json.id, "b": 1}))
