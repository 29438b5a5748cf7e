from collections.abc import Mapping, Sequence
from typing import Any, Literal, Optional, TypedDict, Union, cast

import pulumi

# How large a machine is.
# The larger, the dearer: */ """ # 100%.
Size = Literal["small", "medium", "large"]

# A port of a machine.
Port = int


class RuleRequired(TypedDict):
    port: Port
    protocol: Literal["tcp", "udp"]


# What may pass.
class Rule(RuleRequired, total=False):
    note: Optional[str]


Flags = Mapping[str, Literal["on", "off"]]
Sizes = Sequence[Size]


class Web(pulumi.ComponentResource):
    shown: pulumi.Output[Mapping[str, Any]]

    def __init__(
        self,
        resource_name: str,
        *,
        size: pulumi.Input[Size],
        level: pulumi.Input[Any],
        rule: pulumi.Input[Rule],
        flags: pulumi.Input[Flags],
        sizes: pulumi.Input[Sizes],
        either: pulumi.Input[Union[Literal["auto"], int]],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Web",
            resource_name,
            {
                "size": size,
                "level": level,
                "rule": rule,
                "flags": flags,
                "sizes": sizes,
                "either": either,
            },
            opts,
        )

        size_value = cast(pulumi.Input[str], size)
        rule_value = cast(pulumi.Input[Mapping[str, Any]], rule)
        flags_value = cast(pulumi.Input[Mapping[str, str]], flags)
        sizes_value = cast(pulumi.Input[Sequence[str]], sizes)
        either_value = cast(pulumi.Input[Any], either)

        self.shown = pulumi.Output.from_input(
            {
                "size": size_value,
                "level": level,
                "rule": rule_value,
                "flags": flags_value,
                "sizes": sizes_value,
                "either": either_value,
            }
        )

        self.register_outputs({"shown": self.shown})
