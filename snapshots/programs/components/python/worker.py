from collections.abc import Sequence
from typing import Optional

import pulumi
import pulumi_probe as probe

from helper import Helper


class Worker(pulumi.ComponentResource):
    """A worker: a thing, its parts and its helper."""

    name: pulumi.Output[str]
    parts: pulumi.Output[Sequence[str]]
    greeting: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        # What the worker is called
        label: str,
        seed: pulumi.Input[str],
        size: Optional[pulumi.Input[int]] = None,
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Worker",
            resource_name,
            {"label": label, "seed": seed, "size": size},
            opts,
        )

        size = 1 if size is None else size

        thing = probe.Thing(
            f"{resource_name}-thing",
            label=pulumi.Output.format("{0}/{1}", label, seed),
            size=size,
            opts=pulumi.ResourceOptions(parent=self),
        )

        part = [
            probe.Thing(
                f"{resource_name}-part-{i}",
                label=f"{label} part {i}",
                opts=pulumi.ResourceOptions(parent=self),
            )
            for i in range(2)
        ]

        helper = Helper(
            f"{resource_name}-helper",
            owner=thing.out,
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.name = thing.out
        self.parts = pulumi.Output.all(*[item.out for item in part])
        self.greeting = pulumi.Output.format("hello {0}", helper.greeting)

        self.register_outputs(
            {"name": self.name, "parts": self.parts, "greeting": self.greeting}
        )
