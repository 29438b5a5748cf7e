from collections.abc import Mapping, Sequence
from typing import Any, Optional

import pulumi

Keys = Mapping[str, Any]
Kinds = Mapping[str, str]


class Web(pulumi.ComponentResource):
    shown: pulumi.Output[Sequence[Any]]

    def __init__(
        self,
        resource_name: str,
        *,
        a: Keys,
        b: pulumi.Input[Kinds],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__("components:index:Web", resource_name, {"a": a, "b": b}, opts)

        self.shown = pulumi.Output.all(
            a["class"], a["from"], a["with space"], a["__x"], a["str"], a["Port"], b
        )

        self.register_outputs({"shown": self.shown})
