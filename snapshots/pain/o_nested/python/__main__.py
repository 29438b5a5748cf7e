from typing import Any

import pulumi
import pulumi_command as command


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
