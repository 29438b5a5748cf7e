from typing import Any

import pulumi
import pulumi_command as command


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
hosts = config.require_object("hosts")
for index, item in enumerate(hosts):
    require_members(item, f"main.pp:1:8: hosts[{index}]", "hostName", "portNumber")

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
