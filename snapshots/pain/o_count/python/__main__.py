from typing import Any

import pulumi
import pulumi_random as random


def whole_number(value: Any) -> Any:
    """The value as an int: a number that is whole, or the text of an int."""
    if value is None:
        return None
    if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
        raise ValueError(f"expected a whole number, found {value!r}")
    return int(value)


config = pulumi.Config()
many = config.get_float("many", 2)

some = [random.RandomPet(f"some-{i}") for i in range(whole_number(many))]

pulumi.export("ids", [p.id for p in some])
