"""How the inputs of a component arrive: known when the program runs, or eventual.

A component's program is bound with plain inputs first.  Where some use passes an output, that input is an output inside:
the binder goes over the program once more with that knowledge, until nothing changes (each round adds inputs, and a chain
of nested components needs one round a level).  Inputs that are always plain stay plain: a range over one is a loop, a
condition on one is a condition.

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
    """The inputs that get an eventual value somewhere in `program` or in the components below it."""
    found: dict[str, set[str]] = {}
    for place in (program, *(c.program for c in components_of(program))):
        for node in place.nodes:
            if isinstance(node, ComponentUse) and node.component is not None:
                names = {given.name for given in node.inputs if given.value.type.eventual}
                found.setdefault(node.component.path, set()).update(names)
    return {path: frozenset(names) for path, names in found.items() if names}


def observed_inputs(program: Program) -> frozenset[Symbol]:
    """The config variables of a component's program whose values its expressions look at, not only pass on.

    Whoever passes a value on to a component that takes it plain needs it plain, too.
    """
    symbols = {node.symbol for node in program.nodes if isinstance(node, ConfigVariable)}
    seen: set[Symbol] = set()
    for node in program.nodes:
        passed: list[Expr] = []
        match node:
            case Resource():
                passed = [given.value for given in node.inputs]
            case ComponentUse(component=Component() as component):
                plain = {n.logical_name for n in component.program.nodes if isinstance(n, ConfigVariable) and n.plain_input}
                passed = [given.value for given in node.inputs if given.name not in plain]
            case OutputVariable() | Local():
                passed = [node.value]
            case _:
                pass
        handed_on = {id(ref) for value in passed for ref in _handed_on(value)}
        for expr in expressions_of(node):
            seen.update(_observed(expr, handed_on) & symbols)
    return frozenset(seen)


def _handed_on(value: Expr) -> Iterator[Expr]:
    """The references that stand where any input may stand: the value itself, elements, members, branches."""
    match value:
        case Ref():
            yield value
        case ListExpr():
            for element in value.elements:
                yield from _handed_on(element)
        case ObjectExpr():
            for item in value.items:
                yield from _handed_on(item.value)
        case Conditional():
            yield from _handed_on(value.then)
            yield from _handed_on(value.otherwise)
        case _:
            return


def _observed(expr: Expr, handed_on: set[int]) -> set[Symbol]:
    return {node.symbol for node in walk(expr) if isinstance(node, Ref) and id(node) not in handed_on}
