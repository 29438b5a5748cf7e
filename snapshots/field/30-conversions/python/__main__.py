from decimal import Decimal
from typing import Any

import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean
import pulumi_docker as docker
import pulumi_random as random


def number_text(value: float) -> str:
    """The shortest decimal form of a number, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"


def require_value(value: Any, problem: str) -> Any:
    """The value, which must be set."""
    if value is None:
        raise ValueError(problem)
    return value


def to_bool(value: Any) -> Any:
    """A bool, or the bool in a text."""
    if value is None or isinstance(value, bool):
        return value
    if value in ("true", "false", "1", "0"):
        return value in ("true", "1")
    raise ValueError(f"expected true or false, found {value!r}")


def whole_number(value: Any) -> Any:
    """The value, which must be a whole number, as an int; None stays None."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"expected a whole number, found {value!r}")
    return None if value is None else int(value)


config = pulumi.Config()
length_text = config.get("lengthText", "24")
port_number = config.get_float("portNumber", 8080)
flag_text = config.get("flagText", "true")
count = config.get_int("count", 3)

droplet = digitalocean.Droplet(
    "droplet",
    image="ubuntu-24-04-x64",
    size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
    region=digitalocean.Region.NYC3,
    monitoring=True,
    ipv6=to_bool(flag_text),
)

password = random.RandomPassword(
    "password",
    length=int(length_text),
    special=False,
    min_lower=2,
    keepers={"count": str(count), "enabled": "true", "ratio": "0.25"},
)

firewall = digitalocean.Firewall(
    "firewall",
    droplet_ids=[droplet.id.apply(int)],
    inbound_rules=[
        {
            "protocol": "tcp",
            "port_range": number_text(port_number),
            "source_addresses": ["0.0.0.0/0"],
        }
    ],
)

ip = digitalocean.ReservedIp("ip", region="nyc3", droplet_id=droplet.id.apply(int))

box = docker.Container(
    "box",
    image="12345",
    memory=512,
    envs=[f"PORT={number_text(port_number)}", str(count), "true"],
    ports=[{"internal": whole_number(port_number), "external": 80}],
)

run = command.local.Command(
    "run",
    create=password.length.apply(str),
    environment={
        "MEMORY": box.memory.apply(
            lambda memory: str(
                require_value(memory, "main.pp:63:15: box.memory is not set")
            )
        ),
        "SPECIAL": password.special.apply(
            lambda special: "true" if special else "false"
        ),
    },
)

pulumi.export("sum", count + 1)
pulumi.export("memoryPlusOne", password.length.apply(lambda length: length * 2 + 1))
