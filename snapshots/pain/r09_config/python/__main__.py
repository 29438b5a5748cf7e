import pulumi

config = pulumi.Config()
subnets = config.get_object("subnets")
user = config.require_object("user")
users = config.require_object("users")
flag = config.get_bool("flag", True)
n = config.get_float("n", 3)
text = config.get("text", "some")
i = config.require_int("i")

pulumi.export("p", user.get("path"))
pulumi.export("u", users)
pulumi.export("s", subnets)
pulumi.export("ii", i)
pulumi.export("f", "on" if flag else "off")
pulumi.export("nn", n)
pulumi.export("t", text)
