# Values of other stacks.

from decimal import Decimal
from typing import Any

import pulumi
import pulumi_probe as probe


def to_text(value: Any) -> Any:
    """The text of a string, a number or a bool, as PCL writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{Decimal(repr(value)).normalize():f}"
    if isinstance(value, (dict, list)):
        raise TypeError(f"expected text, found {value!r}")
    return value if value is None else str(value)


config = pulumi.Config()
base = config.get("base", "acme/network/prod")

network = pulumi.StackReference("network", stack_name=base)
thing = probe.Thing("thing", label=network.get_output("vpcId"))

pulumi.export("vpc", network.get_output("vpcId"))

pulumi.export(
    "address",
    pulumi.Output.format("https://{0}/", network.get_output("host").apply(to_text)),
)
