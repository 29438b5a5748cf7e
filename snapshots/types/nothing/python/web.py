from collections.abc import Mapping, Sequence
from typing import Any, Literal, Optional, TypedDict, cast

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


Sizes = Sequence[Size]


class Web(pulumi.ComponentResource):
    shown: pulumi.Output[Mapping[str, Any]]

    def __init__(
        self,
        resource_name: str,
        *,
        a: Optional[Size] = None,
        b: Optional[Size] = None,
        c: Optional[Rule] = None,
        d: Optional[Rule] = None,
        e: Optional[pulumi.Input[Sizes]] = None,
        f: Optional[Size] = None,
        g: pulumi.Input[Sequence[Optional[Size]]],
        h: pulumi.Input[Mapping[str, Any]],
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:Web",
            resource_name,
            {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g, "h": h},
            opts,
        )

        a_value = cast(str, "small" if a is None else a)
        b_value = cast(Optional[str], b)
        c_value = cast(Optional[Mapping[str, Any]], c)
        d_value = cast(
            Mapping[str, Any], {"port": 1, "protocol": "tcp"} if d is None else d
        )
        e_value = cast(pulumi.Input[Sequence[str]], ["small"] if e is None else e)
        f_value = cast(str, a_value if f is None else f)
        g_value = cast(pulumi.Input[Sequence[Optional[str]]], g)

        self.shown = pulumi.Output.all(
            a=a_value,
            b="none" if b_value is None else b_value,
            c=0 if c_value is None else 1,
            d=d_value["port"],
            e=e_value,
            f=f_value == "no",
            g=g_value,
            h=h,
        )

        self.register_outputs({"shown": self.shown})
