from typing import Optional

import pulumi
import pulumi_probe as probe


class Helper(pulumi.ComponentResource):
    greeting: pulumi.Output[str]

    def __init__(
        self,
        resource_name: str,
        *,
        owner: pulumi.Input[str],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Helper", resource_name, {"owner": owner}, opts
        )

        thing = probe.Thing(
            f"{resource_name}-thing",
            label=owner,
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.greeting = pulumi.Output.format("helper of {0}", thing.out)

        self.register_outputs({"greeting": self.greeting})
