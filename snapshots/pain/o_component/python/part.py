from collections.abc import Mapping
from typing import Any, Optional

import pulumi
import pulumi_random as random


class Part(pulumi.ComponentResource):
    summary: pulumi.Output[Mapping[str, Any]]

    def __init__(
        self,
        resource_name: str,
        *,
        env: pulumi.Input[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__("components:index:Part", resource_name, {"env": env}, opts)

        env = pulumi.Output.from_input(env)

        pet = random.RandomPet(
            f"{resource_name}-pet",
            prefix=pulumi.Output.format("{0}-x", env),
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.summary = pulumi.Output.all(
            kind=env.apply(lambda env: "large" if env == "prd" else "small"),
            label=pet.id,
        )

        self.register_outputs({"summary": self.summary})
