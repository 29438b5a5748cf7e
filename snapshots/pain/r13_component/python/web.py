from collections.abc import Mapping, Sequence
from typing import Any, Optional

import pulumi
import pulumi_random as random

from inner import Inner


def whole_number(value: Any) -> Any:
    """The value, which must be a whole number, as an int; None stays None."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(f"expected a whole number, found {value!r}")
    return None if value is None else int(value)


class Web(pulumi.ComponentResource):
    pet_id: pulumi.Output[str]
    lab: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        prefix: str,
        tags: pulumi.Input[Sequence[str]],
        cfg: Mapping[str, str],
        size: Optional[float] = None,
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Web",
            resource_name,
            {"prefix": prefix, "tags": tags, "cfg": cfg, "size": size},
            opts,
        )

        size = 2 if size is None else size

        pet = random.RandomPet(
            f"{resource_name}-pet",
            prefix=f"{prefix}-{cfg['path']}",
            length=whole_number(size),
            opts=pulumi.ResourceOptions(parent=self),
        )

        inner = Inner(
            f"{resource_name}-inner", p=pet.id, opts=pulumi.ResourceOptions(parent=self)
        )

        self.pet_id = inner.out
        self.lab = pulumi.Output.from_input("t" if prefix == "a" else "f")

        self.register_outputs({"petId": self.pet_id, "lab": self.lab})
