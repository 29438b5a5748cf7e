"""Which arguments of a component are plain values: those that it looks at, and those that it hands on as plain ones.

Comes in: components.  Goes out: for each config variable whether its argument takes no outputs (`plain_input`, spread over
the components that values are handed on to).
"""

from __future__ import annotations

from pclgen.core.expr import Symbol
from pclgen.core.program import Component, ComponentUse, ConfigVariable, Program, Resource
from pclgen.core.walk import references
from pclgen.types.model import DYNAMIC


def is_plain(component: Component, node: ConfigVariable) -> bool:
    """Whether the argument of `node` is a plain value."""
    return node.plain_input or node.symbol in _handed_on(component.program)


def _handed_on(program: Program) -> set[Symbol]:
    """Config variables that go, inside `program`, where only plain values may."""
    found: set[Symbol] = set()
    for node in program.nodes:
        if not isinstance(node, Resource | ComponentUse):
            continue
        plain = _plain_inputs(node)
        for given in node.inputs:
            if given.name in plain:
                found.update(s for s, _ in references(given.value) if not s.type.eventual)
    return found


def _plain_inputs(node: Resource | ComponentUse) -> set[str]:
    """The inputs of a resource or component that take no outputs."""
    if isinstance(node, Resource):
        fields = [(i.name, i.field) for i in node.inputs]
        return {n for n, f in fields if f is not None and not f.type.eventual and f.type is not DYNAMIC}
    if node.component is None:
        return set()
    variables = [n for n in node.component.program.nodes if isinstance(n, ConfigVariable)]
    return {v.logical_name for v in variables if is_plain(node.component, v)}
