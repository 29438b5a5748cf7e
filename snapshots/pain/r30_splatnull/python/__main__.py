from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_random as random


def single_or_none(values: Sequence[Any]) -> Any:
    """The only element of a list, or None if it is empty."""
    if len(values) > 1:
        raise ValueError(f"expected at most one element, found {len(values)}")
    return values[0] if values else None


pet = random.RandomPet("pet") if True else None

pulumi.export("i", pet.id if pet is not None else None)

pulumi.export(
    "j",
    pulumi.Output.from_input(pet.id if pet is not None else None).apply(
        lambda id_: single_or_none([id_])
    ),
)
