"""The eventual and plain inputs of components.

The first round of binding treats all inputs of components as plain. If a use passes an output, the input becomes an output
inside the component, and the program is bound again, until nothing changes (each round adds inputs; nested components need
one round per level). Inputs that are always plain stay plain: a range over such an input becomes a loop.

    component web "./web" { domain = site.domain }      ->  inside ./web, domain: output(string)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pclgen.core.expr import Conditional, Expr, ListExpr, ObjectExpr, Ref, Symbol
from pclgen.core.program import Component, ComponentUse, ConfigVariable, Local, OutputVariable, Program, Resource
from pclgen.core.walk import components_of, expressions_of, walk

EventualInputs = Mapping[str, frozenset[str]]
"""Logical names of the eventual inputs, by the path of the component."""


def eventual_inputs(program: Program) -> EventualInputs:
    """The inputs that receive an eventual value in `program` or in its components."""
    by_path: dict[str, set[str]] = {}
    for place in (program, *(c.program for c in components_of(program))):
        for node in place.nodes:
            if isinstance(node, ComponentUse) and node.component is not None:
                names = {input_.name for input_ in node.inputs if input_.value.type.eventual}
                by_path.setdefault(node.component.path, set()).update(names)
    return {path: frozenset(names) for path, names in by_path.items() if names}


def observed_inputs(program: Program) -> frozenset[Symbol]:
    """The config variables of a component that its expressions inspect and do not only forward.

    A component that forwards a value to a plain input needs the plain value, too.
    """
    symbols = {node.symbol for node in program.nodes if isinstance(node, ConfigVariable)}
    seen: set[Symbol] = set()
    for node in program.nodes:
        passed: list[Expr] = []
        match node:
            case Resource():
                passed = [input_.value for input_ in node.inputs]
            case ComponentUse(component=Component() as component):
                plain = {n.logical_name for n in component.program.nodes if isinstance(n, ConfigVariable) and n.plain_input}
                passed = [input_.value for input_ in node.inputs if input_.name not in plain]
            case OutputVariable() | Local():
                passed = [node.value]
            case _:
                pass
        forwarded = {id(ref) for value in passed for ref in _forwarded(value)}
        for expr in expressions_of(node):
            seen.update(_observed(expr, forwarded) & symbols)
    return frozenset(seen)


def _forwarded(value: Expr) -> Iterator[Expr]:
    """The references in positions that only forward a value: the value itself, elements, members, branches."""
    match value:
        case Ref():
            yield value
        case ListExpr():
            for element in value.elements:
                yield from _forwarded(element)
        case ObjectExpr():
            for item in value.items:
                yield from _forwarded(item.value)
        case Conditional():
            yield from _forwarded(value.then)
            yield from _forwarded(value.otherwise)
        case _:
            return


def _observed(expr: Expr, forwarded: set[int]) -> set[Symbol]:
    return {node.symbol for node in walk(expr) if isinstance(node, Ref) and id(node) not in forwarded}
