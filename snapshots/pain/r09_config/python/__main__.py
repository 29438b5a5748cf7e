from typing import Any

import pulumi


def require_members(value: Any, name: str, *paths: str) -> Any:
    """The configured value, whose members at the paths have to be set; `*` stands for each element."""

    def check(item: Any, place: str, step: str, *rest: str) -> None:
        if item is None:
            return
        if isinstance(item, list):
            for index, element in enumerate(item):
                check(element, f"{place}[{index}]", *rest)
        elif step == "*":
            for key, element in sorted(item.items()):
                check(element, f"{place}.{key}", *rest)
        else:
            member = step.replace("~1", "/")
            if rest:
                check(item.get(member), f"{place}.{member}", *rest)
            elif item.get(member) is None:
                raise ValueError(f"{place}.{member} is not set")

    if isinstance(value, pulumi.Output):
        return value.apply(lambda plain: require_members(plain, name, *paths))
    for path in paths:
        check(value, name, *path.split("/"))
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
