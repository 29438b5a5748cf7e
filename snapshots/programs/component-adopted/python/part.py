from typing import Optional

import pulumi
import pulumi_probe as probe


class Part(pulumi.ComponentResource):
    shown: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        label: pulumi.Input[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__("components:index:Part", resource_name, {"label": label}, opts)

        thing = probe.Thing(
            f"{resource_name}-thing",
            out=label,
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.shown = thing.out

        self.register_outputs({"shown": self.shown})
