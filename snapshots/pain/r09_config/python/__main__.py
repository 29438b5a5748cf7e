from typing import Any

import pulumi


def require_members(value: Any, place: str, *paths: str) -> Any:
    """The value, whose members at the paths have to be set; `*` stands for each element."""
    if isinstance(value, pulumi.Output):
        return value.apply(lambda plain: require_members(plain, place, *paths))
    if value is None:
        return None
    for step, _, rest in (path.partition("/") for path in paths):
        if isinstance(value, list):
            members = [(f"[{index}]", item) for index, item in enumerate(value)]
        else:
            names = sorted(value) if step == "*" else [step.replace("~1", "/")]
            members = [(f".{name}", value.get(name)) for name in names]
        for name, member in members:
            if rest:
                require_members(member, place + name, rest)
            elif member is None:
                raise ValueError(f"{place}{name} is not set")
    return value


config = pulumi.Config()
subnets = config.get_object("subnets")
user = require_members(config.require_object("user"), "main.pp:2:8: user", "path")
users = require_members(config.require_object("users"), "main.pp:3:8: users", "*/name")
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
