from typing import Any

import pulumi
import pulumi_random as random


def whole_number(value: Any) -> Any:
    """The value, which must be a whole number, as an int; None stays None."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"expected a whole number, found {value!r}")
    return None if value is None else int(value)


config = pulumi.Config()
many = config.get_float("many", 2)

some = [random.RandomPet(f"some-{i}") for i in range(whole_number(many))]

pulumi.export("ids", [p.id for p in some])
