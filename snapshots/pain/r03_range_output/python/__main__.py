import pulumi_random as random

sh = random.RandomShuffle("sh", inputs=["a", "b"])

pets = sh.results.apply(
    lambda results: [
        random.RandomPet(f"pets-{i}", prefix=result) for i, result in enumerate(results)
    ]
)
