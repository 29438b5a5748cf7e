import pulumi_random as random

sh = random.RandomShuffle("sh", inputs=["a"])

p = sh.results.apply(len).apply(
    lambda count: [
        random.RandomPet(f"p-{i}", prefix=sh.results[i]) for i in range(count)
    ]
)
