"""The dependencies between the nodes of a bound program, and components that need each other (language.md, Dependencies).

The nodes of a `Program` become a networkx graph, by lexical scope: a loop variable or a called function is never mistaken
for a node of that name. `order_nodes` puts definitions before uses.

`late_inputs` maps each component to the inputs that some use takes from components that in turn need it. Such an input has
its value only after the resources inside of those components are registered, which wait for their components: so a component
is registered without it. The same holds for nested components: Go creates a component only when it is registered
(`RegisterResourceOutputs` waits), and the outer one after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import networkx
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.expr import Symbol
from pclgen.core.walk import (
    children,
    components_of,
    expressions_of,
    free_symbols,
    inner_first,
    programs_of,
    references,
    root_of,
    symbol_of,
)
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.graph.order import (
    CycleEdge,
    MayWait,
    circular_groups,
    cycle_diagnostic,
    find_cycles,
    order,
    reference_graph,
    subgraph,
)
from pclgen.source.text import Span
from pclgen.types.declarations import Declaration
from pclgen.types.model import ERROR


def dependency_graph(nodes: Sequence[prog.Node]) -> networkx.DiGraph[prog.Node]:
    """Return the graph of dependencies, with nodes and edges in source order.

    An edge leads from a node to a node that it refers to. Its attribute `span` is the first reference. Between components,
    the attribute `whole` is the first reference that needs the component itself, not only its outputs.
    """
    declared: dict[core.Symbol, prog.Node] = {}
    for node in nodes:
        symbol = symbol_of(node)
        if symbol is not None:
            declared[symbol] = node
    edges = {
        node: [
            (declared[symbol], span)
            for expr in expressions_of(node)
            for symbol, span in references(expr)
            if symbol in declared
        ]
        for node in nodes
    }
    graph = reference_graph(nodes, edges)
    components = {symbol: node for symbol, node in declared.items() if isinstance(node, prog.ComponentUse)}
    for node in components.values():
        for expr in expressions_of(node):
            for symbol, span in _whole(expr, components):
                graph.edges[node, components[symbol]].setdefault("whole", span)
    return graph


def waiting(graph: networkx.DiGraph[prog.Node]) -> MayWait[prog.Node]:
    """Return a function that decides whether a reference within a cycle can wait (language.md, Cycles).

    It can if a component refers only to outputs of another component, or of itself.

    A component without a source cannot be registered before it has all its inputs.
    """

    def may_wait(source: prog.Node, target: prog.Node) -> bool:
        both = all(isinstance(node, prog.ComponentUse) and node.component is not None for node in (source, target))
        return both and "whole" not in graph.edges[source, target]

    return may_wait


def order_nodes(nodes: Sequence[prog.Node], bag: DiagnosticBag) -> tuple[prog.Node, ...]:
    """Return `nodes` with definitions before uses (language.md, Dependencies): settings and configuration first, outputs
    last, and each of these groups in source order, as far as references allow it.

    Components that depend on each other keep their source order if they need only outputs of each other. Other cycles are
    reported, one diagnostic each; binding has normally rejected them already.
    """
    graph = dependency_graph(nodes)
    bag.extend(_cycles(graph))
    settings = _settings(graph)

    def section(node: prog.Node) -> int:
        if node in settings:
            return 0
        return 2 if isinstance(node, prog.OutputVariable) else 1

    return order(subgraph(graph, sorted(graph, key=section)), waiting(graph))


def _settings(graph: networkx.DiGraph[prog.Node]) -> set[prog.Node]:
    """Return the settings and the configuration, with the locals that their defaults need."""
    settings: set[prog.Node] = set()
    pending: list[prog.Node] = [node for node in graph if isinstance(node, prog.PulumiSettings | prog.ConfigVariable)]
    while pending:
        node = pending.pop()
        if node not in settings:
            settings.add(node)
            pending += graph.successors(node)
    return settings


def cycles(nodes: Sequence[prog.Node]) -> list[Diagnostic]:
    """Return a diagnostic for each cycle in which no reference can wait."""
    return _cycles(dependency_graph(nodes))


def _cycles(graph: networkx.DiGraph[prog.Node]) -> list[Diagnostic]:
    def at_whole(edge: CycleEdge[prog.Node]) -> CycleEdge[prog.Node]:
        span: Span = graph.edges[edge.source, edge.target].get("whole", edge.span)
        return replace(edge, span=span)

    return [
        cycle_diagnostic(replace(cycle, edges=tuple(map(at_whole, cycle.edges))), node_name)
        for cycle in find_cycles(graph, waiting(graph))
    ]


def _whole(expr: core.Expr, components: Collection[core.Symbol]) -> Iterator[tuple[core.Symbol, Span]]:
    """Yield the references to `components` that cannot wait for outputs.

    These refer to the component itself, or loop over several components with a result that is known at once.
    """
    owner = {symbol: symbol for symbol in components}
    pending = [(expr, False)]
    while pending:
        node, is_stepped = pending.pop()
        match node:
            case core.Ref() if node.symbol in owner and not is_stepped:
                yield owner[node.symbol], node.span
            case core.Attr():
                pending.append((node.source, _can_wait(node)))
            case core.Index():
                pending += [(node.key, False), (node.source, is_stepped or _can_wait(node))]
            case core.For():
                root = _root(node.collection)
                if root in owner:
                    owner[node.value] = owner[root]
                inner = [part for part in children(node) if part is not node.collection]
                pending += [*((part, False) for part in reversed(inner)), (node.collection, _can_wait(node))]
            case _:
                pending.extend((part, False) for part in reversed(children(node)))


def _can_wait(expr: core.Expr) -> bool:
    """Return whether the value is eventual, or of no known type because of an error that is already reported."""
    return expr.type.eventual or expr.type is ERROR


def _root(expr: core.Expr) -> core.Symbol | None:
    """Return the symbol at the root of a path."""
    root = root_of(expr)
    return root.symbol if isinstance(root, core.Ref) else None


def node_name(node: prog.Node) -> str:
    """The name of `node` as the program writes it."""
    symbol = symbol_of(node)
    return "pulumi" if symbol is None else symbol.name


# -- components that need each other ----------------------------------------------------------------------------------------

def late_inputs(program: prog.Program) -> Mapping[Declaration, frozenset[str]]:
    """Return the names of these inputs by the value of their component; omits components without any."""
    late: dict[Declaration, set[str]] = {}
    for inside in programs_of(program):
        for group in circular_groups(dependency_graph(inside.nodes)):
            symbols = {symbol for node in group if (symbol := symbol_of(node)) is not None}
            for use in group:
                if isinstance(use, prog.ComponentUse):
                    _add(late, use, symbols)
    for component in reversed(inner_first(program)) if late else ():
        symbols = _inputs_of(component, late.get(component.value, set()))
        for use in _depending(component.program, symbols) if symbols else ():
            _add(late, use, symbols)
    return {value: frozenset(names) for value, names in late.items()}


def late_options(program: prog.Program, late: Mapping[Declaration, frozenset[str]]) -> Iterator[prog.ComponentUse]:
    """Yield the uses of components inside of components whose options need a deferred input (`late_inputs`): they cannot be
    registered before it."""
    for component in components_of(program):
        symbols = _inputs_of(component, late.get(component.value, frozenset()))
        for use in _depending(component.program, symbols) if symbols else ():
            if any(not symbols.isdisjoint(free_symbols(option.value)) for option in use.options):
                yield use


def deferred_inputs(nodes: Sequence[prog.Node]) -> Mapping[Symbol, frozenset[str]]:
    """Return, by symbol, the inputs of each component use in ordered `nodes` that need the use itself or later components:
    they are outputs that get their values later."""
    uses = [node for node in nodes if isinstance(node, prog.ComponentUse)]
    place = {use.symbol: number for number, use in enumerate(uses)}
    deferred: dict[Symbol, frozenset[str]] = {}
    for number, use in enumerate(uses):
        names = [i.name for i in use.inputs if any(place.get(s, -1) >= number for s in free_symbols(i.value))]
        if names:
            deferred[use.symbol] = frozenset(names)
    return deferred


def _inputs_of(component: prog.Component, names: AbstractSet[str]) -> set[Symbol]:
    nodes = component.program.nodes
    return {node.symbol for node in nodes if isinstance(node, prog.ConfigVariable) and node.logical_name in names}


def _add(inputs: dict[Declaration, set[str]], use: prog.ComponentUse, symbols: AbstractSet[Symbol]) -> None:
    """Add the inputs of `use` that need one of `symbols`."""
    late = {item.name for item in use.inputs if not symbols.isdisjoint(free_symbols(item.value))}
    if late and use.component is not None:
        inputs.setdefault(use.component.value, set()).update(late)


def _depending(program: prog.Program, symbols: set[Symbol]) -> Iterator[prog.ComponentUse]:
    """Yield the uses of components in `program` that depend on `symbols`; add the symbols of all dependent nodes to
    `symbols`."""
    for node in order_nodes(program.nodes, DiagnosticBag()):
        if any(not symbols.isdisjoint(free_symbols(expr)) for expr in expressions_of(node)):
            symbol = symbol_of(node)
            if symbol is not None:
                symbols.add(symbol)
            if isinstance(node, prog.ComponentUse):
                yield node
