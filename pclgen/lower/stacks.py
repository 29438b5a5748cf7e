"""Outputs of other stacks: they have no type, and are taken for texts where a text is wanted.

Comes in: the nodes of a program, in order.  Goes out: the same without conversions of such outputs to text.

    vpcId = getOutput(network, "vpcId")      resource … { vpcId = convert<string>(vpcId) }  ->  { vpcId = vpcId }

What a program steps into, and everything else of no known type (configuration, results of functions), is converted.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.core.expr import Call, Convert, Expr, Ref, Symbol
from pclgen.core.program import Local, Node
from pclgen.core.walk import rewrite, with_expressions
from pclgen.types.model import DYNAMIC, ID, STRING, resolve, without_none


def trust_stacks(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """`nodes` with texts of other stacks passed on as they are."""
    known: set[Symbol] = set()

    def comes_from_a_stack(expr: Expr) -> bool:
        match expr:
            case Call():
                return expr.function.name == "getOutput"
            case Ref():
                return expr.symbol in known
            case _:
                return False

    def change(expr: Expr) -> Expr:
        match expr:
            case Convert() if comes_from_a_stack(expr.value) and resolve(expr.value.type) is DYNAMIC:
                return expr.value if without_none(resolve(expr.type)) in (STRING, ID) else expr
            case _:
                return expr

    made: list[Node] = []
    for node in nodes:
        if isinstance(node, Local) and comes_from_a_stack(node.value):
            known.add(node.symbol)
        made.append(with_expressions(node, lambda expr: rewrite(expr, change)))
    return tuple(made)
