import pulumi

names = ["a", "b"]
upper = [f"{n}-x" for n in names]
m = {n: i for i, n in enumerate(names)}

pulumi.export("o", upper)
pulumi.export("mm", m)
