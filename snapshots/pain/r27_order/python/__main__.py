import pulumi
import pulumi_random as random

local2 = "x"
local1 = local2

a = random.RandomPet("a", prefix=local1)

pulumi.export("o", a.id)
