from typing import Optional

import pulumi
import pulumi_random as random


class Inner(pulumi.ComponentResource):
    out: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        p: pulumi.Input[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__("components:index:Inner", resource_name, {"p": p}, opts)

        pet = random.RandomPet(
            f"{resource_name}-pet", prefix=p, opts=pulumi.ResourceOptions(parent=self)
        )

        self.out = pet.id

        self.register_outputs({"out": self.out})
