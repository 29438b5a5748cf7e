import pulumi

a = 1000000
b = 9007199254740993
c = 0.1
d = -5
e = 1e20

pulumi.export("a", a)
pulumi.export("b", b)
pulumi.export("c", c)
pulumi.export("d", d)
pulumi.export("e", e)
