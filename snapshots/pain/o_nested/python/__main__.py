from typing import Any

import pulumi
import pulumi_command as command


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

hosts = require_members(
    config.require_object("hosts"), "main.pp:1:8: hosts", "*/hostName", "*/portNumber"
)

host = command.remote.Command(
    "host",
    create="uptime",
    connection={
        "host": hosts[0]["hostName"],
        "port": hosts[0]["portNumber"],
        "private_key_password": "secret",
        "proxy": {"host": "bastion", "dial_error_limit": 3},
    },
    environment={"MY_KEY": "1", "camelCase": "2", "with-dash": hosts[0]["hostName"]},
)

pulumi.export("camel", host.environment["camelCase"])
pulumi.export("keys", {"MY_KEY": 1, "nestedMap": {"innerKey": host.stdout}})
