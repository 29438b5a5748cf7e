import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Optional

import pulumi
import pulumi_digitalocean as digitalocean


def can_(attempt: Callable[[], Any]) -> bool:
    """Whether the attempt does not raise an error."""
    with suppress(Exception):
        attempt()
        return True
    return False


def json_or_text(text: Optional[str], default: Any = None) -> Any:
    """The JSON value in a text of the configuration, or the text itself."""
    try:
        return default if text is None else json.loads(text, parse_constant=str)
    except ValueError:
        return text


def try_(*attempts: Callable[[], Any]) -> Any:
    """The result of the first attempt that does not raise an error."""
    for attempt in attempts[:-1]:
        with suppress(Exception):
            return attempt()
    return attempts[-1]()


config = pulumi.Config()
network_stack = config.get("networkStack", "acme/network/prod")
overrides = json_or_text(config.get("overrides"), {})
settings = config.get_object("settings", {})

network = pulumi.StackReference("network", stack_name=network_stack)

vpc_id = network.get_output("vpcId")

droplet = digitalocean.Droplet(
    "droplet",
    image="ubuntu-24-04-x64",
    size=try_(lambda: settings["size"], lambda: "s-1vcpu-1gb"),
    region=digitalocean.Region.NYC3,
    vpc_uuid=vpc_id,
)

pulumi.export("subnet", network.get_output("subnets"))
pulumi.export("token", pulumi.Output.unsecret(network.get_output("token")))
pulumi.export("hasSize", can_(lambda: settings["size"]))

pulumi.export(
    "deep", try_(lambda: overrides["a"]["b"], lambda: overrides["c"], lambda: "none")
)

pulumi.export(
    "recovered", droplet.ipv4_address.recover(lambda error: f"failed: {error}")
)

pulumi.export(
    "tryOutput",
    droplet.tags.apply(lambda tags: try_(lambda: (tags or [])[0], lambda: "untagged")),
)
