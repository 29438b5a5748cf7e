import pulumi_random as random

backend = "img"
pet = "x"

a = random.RandomPet("a", prefix=pet)
