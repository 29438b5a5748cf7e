"""Which inputs of components are plain values: those that a component looks at, and those that it hands on as plain ones.

Comes in: a program.  Goes out: for each component the inputs that take no outputs (`plain_input`, spread over what values
are handed on to).
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pclgen.core.expr import Symbol
from pclgen.core.program import Component, ComponentUse, ConfigVariable, Program, Resource
from pclgen.core.walk import inner_first, references
from pclgen.types.model import DYNAMIC


def plain_inputs(program: Program) -> Mapping[Component, AbstractSet[str]]:
    """The logical names of the inputs that are plain values, for every component below `program`."""
    plain: dict[Component, AbstractSet[str]] = {}
    for component in inner_first(program):
        handed_on = _handed_on(component.program, plain)
        variables = [node for node in component.program.nodes if isinstance(node, ConfigVariable)]
        plain[component] = {v.logical_name for v in variables if v.plain_input or v.symbol in handed_on}
    return plain


def _handed_on(program: Program, known: Mapping[Component, AbstractSet[str]]) -> set[Symbol]:
    """Config variables that go, inside `program`, where only plain values may."""
    found: set[Symbol] = set()
    for node in program.nodes:
        if not isinstance(node, Resource | ComponentUse):
            continue
        plain = _plain_inputs(node, known)
        for given in node.inputs:
            if given.name in plain:
                found.update(s for s, _ in references(given.value) if not s.type.eventual)
    return found


def _plain_inputs(node: Resource | ComponentUse, known: Mapping[Component, AbstractSet[str]]) -> AbstractSet[str]:
    """The inputs of a resource or component that take no outputs."""
    if isinstance(node, Resource):
        fields = [(i.name, i.field) for i in node.inputs]
        return {n for n, f in fields if f is not None and not f.type.eventual and f.type is not DYNAMIC}
    return known[node.component] if node.component is not None else set()
