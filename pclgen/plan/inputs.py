"""The uses of the inputs of components: plain values, forwarded inputs, inspected inputs.

An input takes no outputs if it is a `plain_input`, or if the component forwards it to a plain input.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pclgen.core import program as prog
from pclgen.core.expr import Expr, ListExpr, ObjectExpr, Ref, Symbol
from pclgen.core.walk import expressions_of, inner_first, references, walk
from pclgen.types.model import DYNAMIC


def plain_inputs(program: prog.Program) -> Mapping[prog.Component, AbstractSet[str]]:
    """Return the logical names of the plain inputs of every component below `program`."""
    plain: dict[prog.Component, AbstractSet[str]] = {}
    for component in inner_first(program):
        forwarded = _forwarded(component.program, plain)
        variables = [node for node in component.program.nodes if isinstance(node, prog.ConfigVariable)]
        plain[component] = {v.logical_name for v in variables if v.plain_input or v.symbol in forwarded}
    return plain


def _forwarded(program: prog.Program, plain_inputs: Mapping[prog.Component, AbstractSet[str]]) -> set[Symbol]:
    """Return the config variables that `program` forwards to plain inputs."""
    forwarded: set[Symbol] = set()
    for node in program.nodes:
        if not isinstance(node, prog.Resource | prog.ComponentUse):
            continue
        plain = _plain_inputs(node, plain_inputs)
        for input_ in node.inputs:
            if input_.name in plain:
                forwarded.update(s for s, _ in references(input_.value) if not s.type.eventual)
    return forwarded


def _plain_inputs(
    node: prog.Resource | prog.ComponentUse, plain_inputs: Mapping[prog.Component, AbstractSet[str]]
) -> AbstractSet[str]:
    """Return the inputs of a resource or component that take no outputs."""
    if isinstance(node, prog.Resource):
        fields = [(i.name, i.field) for i in node.inputs]
        return {n for n, f in fields if f is not None and not f.type.eventual and f.type is not DYNAMIC}
    return plain_inputs[node.component] if node.component is not None else set()


def uses_of_inputs(program: prog.Program) -> tuple[frozenset[Symbol], frozenset[Symbol]]:
    """Return the config variables that `program` forwards to inputs or outputs, and those that it uses elsewhere.

    A variable may be in both sets.
    """
    places: dict[int, Symbol] = {}
    for node in program.nodes:
        if isinstance(node, prog.Resource | prog.ComponentUse):
            for input_ in node.inputs:
                _mark(input_.value, places)
        elif isinstance(node, prog.OutputVariable):
            _mark(node.value if isinstance(node.value, Ref) else None, places)
    inspected = {
        part.symbol
        for node in program.nodes
        for expr in expressions_of(node)
        for part in walk(expr)
        if isinstance(part, Ref) and id(part) not in places
    }
    own = {node.symbol for node in program.nodes if isinstance(node, prog.ConfigVariable)}
    return frozenset(own.intersection(places.values())), frozenset(own & inspected)


def _mark(value: Expr | None, places: dict[int, Symbol]) -> None:
    match value:
        case Ref():
            places[id(value)] = value.symbol
        case ListExpr():
            for element in value.elements:
                _mark(element, places)
        case ObjectExpr():
            for item in value.items:
                _mark(item.value, places)
        case _:
            pass
