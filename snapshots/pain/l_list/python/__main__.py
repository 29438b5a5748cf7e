import pulumi_random as random

names = ["a", "b"]

sh = random.RandomShuffle("sh", inputs=names)
