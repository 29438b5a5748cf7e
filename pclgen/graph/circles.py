"""Components that need each other, and the inputs through which they do.

Comes in: a program.  Goes out: for each component, the inputs that some use gets from components that need it in turn.
Such an input has its value only when the resources inside of those components are there, which wait for their components to
be registered: a component is registered without it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core.program import ComponentUse, Program
from pclgen.core.walk import components_of, free_symbols, symbol_of
from pclgen.graph.dependencies import dependency_graph
from pclgen.graph.order import circular_groups
from pclgen.types.declarations import Declaration


def late_inputs(program: Program) -> Mapping[Declaration, frozenset[str]]:
    """The names of such inputs by the value of their component; components that have none are left out."""
    found: dict[Declaration, set[str]] = {}
    for inside in (program, *(component.program for component in components_of(program))):
        for group in circular_groups(dependency_graph(inside.nodes)):
            symbols = {symbol_of(node) for node in group}
            for use in group:
                if isinstance(use, ComponentUse) and use.component is not None:
                    late = {given.name for given in use.inputs if not symbols.isdisjoint(free_symbols(given.value))}
                    found.setdefault(use.component.value, set()).update(late)
    return {value: frozenset(names) for value, names in found.items()}
