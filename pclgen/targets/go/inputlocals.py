"""Locals created with the input type of their uses.

If resources use the literal of a local only as inputs of a single type, the literal is created in that type and needs no
conversion at its uses:

    connection := &remote.ConnectionArgs{Host: server.PublicIp, User: pulumi.String("root")}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pclgen.core import expr as core
from pclgen.core.program import Local, Program, Resource
from pclgen.core.walk import expressions_of, walk
from pclgen.targets.go import gotypes as gt
from pclgen.types.declarations import Shape
from pclgen.types.model import InputType


def referenced_symbol(e: core.Expr) -> core.Symbol | None:
    """Return the symbol that `e` refers to, directly or through conversions, `All` and identity applies; else None."""
    match e:
        case core.Ref():
            return e.symbol
        case core.Convert() | core.All():
            return referenced_symbol(e.value)
        case core.Apply(args=(argument,), parameters=(parameter,)) if referenced_symbol(e.body) is parameter:
            return referenced_symbol(argument)
        case _:
            return None


def locals_as_inputs(program: Program, natives: gt.Natives) -> Mapping[core.Symbol, gt.GoType]:
    """Return the input type of each local whose only uses are inputs of that type."""
    literals = {n.symbol: n.value for n in program.nodes if isinstance(n, Local) and _has_elements(n.value)}
    if not literals:
        return {}
    uses = Counter(
        e.symbol for n in program.nodes for root in expressions_of(n) for e in walk(root) if isinstance(e, core.Ref)
    )
    as_inputs: dict[core.Symbol, list[gt.GoType]] = {}
    for node in program.nodes:
        if isinstance(node, Resource) and node.declaration is not None:
            fields = (node.declaration.inputs if node.read_id is None else node.declaration.state).fields(Shape.INPUT)
            for item in node.inputs:
                symbol, declared = referenced_symbol(item.value), fields.get(item.name)
                if symbol in literals and declared is not None and isinstance(declared.type, InputType):
                    as_inputs.setdefault(symbol, []).append(gt.input_(gt.definite(natives.native(declared.type))))
    return {
        symbol: types[0]
        for symbol, types in as_inputs.items()
        if len(types) == uses[symbol] and all(t == types[0] for t in types) and _can_hold(types[0], literals[symbol])
    }


def _has_elements(value: core.Expr) -> bool:
    return bool(isinstance(value, core.ObjectExpr) and value.items) or bool(
        isinstance(value, core.ListExpr) and value.elements
    )


def _can_hold(t: gt.GoType, literal: core.Expr) -> bool:
    native = gt.without_pointer(t.native)
    assert t.form is gt.Form.INPUT
    return isinstance(
        native, gt.Slice if isinstance(literal, core.ListExpr) else gt.PackageStruct | gt.Map
    ) and gt.has_family(native)
