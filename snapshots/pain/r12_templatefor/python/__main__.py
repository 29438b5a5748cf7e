import pulumi

names = ["a", "b"]
out = "".join([f"{n}," for n in names])

pulumi.export("o", out)
