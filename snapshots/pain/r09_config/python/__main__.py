from typing import Any

import pulumi


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
subnets = config.get_object("subnets")
user = config.require_object("user")
require_members(user, "main.pp:2:8: user", "path")
users = config.require_object("users")
for key, item in sorted(users.items()):
    require_members(item, f"main.pp:3:8: users.{key}", "name")
flag = config.get_bool("flag", True)
n = config.get_float("n", 3)
text = config.get("text", "some")
i = config.require_int("i")

pulumi.export("p", user["path"])
pulumi.export("u", users)
pulumi.export("s", subnets)
pulumi.export("ii", i)
pulumi.export("f", "on" if flag else "off")
pulumi.export("nn", n)
pulumi.export("t", text)
