import pulumi

config = pulumi.Config()
e = config.require_bool("e")

pulumi.export("o", [1, 2] if e else [])
pulumi.export("p", "a" if e else "1")
