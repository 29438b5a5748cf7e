"""Outputs of other stacks used as texts or numbers, for which the SDK has conversion functions.

`getOutput` becomes

    network.GetStringOutput(pulumi.String("vpcId"))

They fail for an output of another type; `getOutput` alone accepts any type.
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core.expr import Apply, Call, Convert, Expr, Ref
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go.context import Block, Value

_METHODS: Mapping[gt.Native, str] = {gt.STRING: "GetStringOutput", gt.FLOAT: "GetFloat64Output"}


def stack_output(b: Block, e: Expr, native: gt.Native) -> Value | None:
    """Return `getOutput(reference, name)` as a text or a number; None for other expressions."""
    if not isinstance(e, Call) or e.function.name != "getOutput" or native not in _METHODS:
        return None
    reference = b.natural(e.args[0], "reference")
    name = b.into(e.args[1], gt.GoType(gt.STRING, gt.Form.INPUT), "name")
    return Value(make.method(reference.node, _METHODS[native], name), gt.output(native))


def converted_stack_output(b: Block, e: Apply) -> Value | None:
    """Return an apply that only converts an output of another stack; None for other applies."""
    if len(e.args) != 1 or not isinstance(e.body, Convert) or not isinstance(e.body.value, Ref):
        return None
    if e.body.value.symbol is not e.parameters[0]:
        return None
    return stack_output(b, e.args[0], gt.without_pointer(b.file.session.natives.native(e.body.type)))
