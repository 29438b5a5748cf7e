import pulumi_random as random

pets = [random.RandomPet(f"pets-{i}") for i in range(3)]
sh = random.RandomShuffle("sh", inputs=[p.id for p in pets])
