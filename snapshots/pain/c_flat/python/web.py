from typing import Optional

import pulumi
import pulumi_random as random


class Web(pulumi.ComponentResource):
    pet_id: pulumi.Output[str]
    lab: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        prefix: str,
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Web", resource_name, {"prefix": prefix}, opts
        )

        pet = random.RandomPet(
            f"{resource_name}-pet",
            prefix=f"{prefix}-a",
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.pet_id = pet.id
        self.lab = pulumi.Output.from_input("t" if prefix == "a" else "f")

        self.register_outputs({"petId": self.pet_id, "lab": self.lab})
