"""Components that need each other, and the inputs that form these cycles.

The result maps each component to the inputs that some use takes from components that in turn need it. Such an input has
its value only after the resources inside of those components are registered, which wait for their components: so a component
is registered without it. The same holds for nested components: Go creates a component only when it is registered
(`RegisterResourceOutputs` waits), and the outer one after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from pclgen.core.expr import Symbol
from pclgen.core.program import Component, ComponentUse, ConfigVariable, Node, Program
from pclgen.core.walk import components_of, expressions_of, free_symbols, inner_first, programs_of, symbol_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.dependencies import dependency_graph, order_nodes
from pclgen.graph.order import circular_groups
from pclgen.types.declarations import Declaration


def late_inputs(program: Program) -> Mapping[Declaration, frozenset[str]]:
    """Return the names of these inputs by the value of their component; omits components without any."""
    late: dict[Declaration, set[str]] = {}
    for inside in programs_of(program):
        for group in circular_groups(dependency_graph(inside.nodes)):
            symbols = {symbol for node in group if (symbol := symbol_of(node)) is not None}
            for use in group:
                if isinstance(use, ComponentUse):
                    _add(late, use, symbols)
    for component in reversed(inner_first(program)) if late else ():
        symbols = _inputs_of(component, late.get(component.value, set()))
        for use in _depending(component.program, symbols) if symbols else ():
            _add(late, use, symbols)
    return {value: frozenset(names) for value, names in late.items()}


def late_options(program: Program, late: Mapping[Declaration, frozenset[str]]) -> Iterator[ComponentUse]:
    """Yield the uses of components inside of components whose options need a deferred input (`late_inputs`): they cannot be
    registered before it."""
    for component in components_of(program):
        symbols = _inputs_of(component, late.get(component.value, frozenset()))
        for use in _depending(component.program, symbols) if symbols else ():
            if any(not symbols.isdisjoint(free_symbols(option.value)) for option in use.options):
                yield use


def deferred_inputs(nodes: Sequence[Node]) -> Mapping[Symbol, frozenset[str]]:
    """Return, by symbol, the inputs of each component use in ordered `nodes` that need the use itself or later components:
    they are outputs that get their values later."""
    uses = [node for node in nodes if isinstance(node, ComponentUse)]
    place = {use.symbol: number for number, use in enumerate(uses)}
    deferred: dict[Symbol, frozenset[str]] = {}
    for number, use in enumerate(uses):
        names = [i.name for i in use.inputs if any(place.get(s, -1) >= number for s in free_symbols(i.value))]
        if names:
            deferred[use.symbol] = frozenset(names)
    return deferred


def _inputs_of(component: Component, names: AbstractSet[str]) -> set[Symbol]:
    nodes = component.program.nodes
    return {node.symbol for node in nodes if isinstance(node, ConfigVariable) and node.logical_name in names}


def _add(inputs: dict[Declaration, set[str]], use: ComponentUse, symbols: AbstractSet[Symbol]) -> None:
    """Add the inputs of `use` that need one of `symbols`."""
    late = {item.name for item in use.inputs if not symbols.isdisjoint(free_symbols(item.value))}
    if late and use.component is not None:
        inputs.setdefault(use.component.value, set()).update(late)


def _depending(program: Program, symbols: set[Symbol]) -> Iterator[ComponentUse]:
    """Yield the uses of components in `program` that depend on `symbols`; add the symbols of all dependent nodes to
    `symbols`."""
    for node in order_nodes(program.nodes, DiagnosticBag()):
        if any(not symbols.isdisjoint(free_symbols(expr)) for expr in expressions_of(node)):
            symbol = symbol_of(node)
            if symbol is not None:
                symbols.add(symbol)
            if isinstance(node, ComponentUse):
                yield node
