# Values that fit only after a conversion.

from decimal import Decimal

import pulumi
import pulumi_probe as probe


def number_text(value: float) -> str:
    """The shortest decimal form of a number, without an exponent."""
    return f"{Decimal(repr(value)).normalize():f}"


config = pulumi.Config()
digits = config.get("digits", "12")
flag = config.get_bool("flag", True)
numbers = config.get_object("numbers", [1.5])

thing = probe.Thing(
    "thing",
    label="5",
    size=7,
    flag=True,
    num=float(digits),
    names=["1", "true" if flag else "false", digits],
    tags={"a": "1", "b": "true" if flag else "false"},
)

second = probe.Thing(
    "second",
    label=thing.int.apply(str),
    size=thing.out.apply(int),
    names=[number_text(item) for item in numbers],
    maybe="true" if flag else "false",
)

pulumi.export("digits", int(digits))
