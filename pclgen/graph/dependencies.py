"""The dependencies between the nodes of a bound program (language.md, Dependencies).

The nodes of a `Program` become a networkx graph, by lexical scope: a loop variable or a called function is never mistaken
for a node of that name. `order_nodes` puts definitions before uses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import networkx
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.program import ComponentUse, ConfigVariable, Node, OutputVariable, PulumiSettings
from pclgen.core.walk import children, expressions_of, references, root_of, symbol_of
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.graph.order import CycleEdge, MayWait, cycle_diagnostic, find_cycles, order, reference_graph, subgraph
from pclgen.source.text import Span
from pclgen.types.model import ERROR


def dependency_graph(nodes: Sequence[Node]) -> networkx.DiGraph[Node]:
    """Return the graph of dependencies, with nodes and edges in source order.

    An edge leads from a node to a node that it refers to. Its attribute `span` is the first reference. Between components,
    the attribute `whole` is the first reference that needs the component itself, not only its outputs.
    """
    declared: dict[core.Symbol, Node] = {}
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
    components = {symbol: node for symbol, node in declared.items() if isinstance(node, ComponentUse)}
    for node in components.values():
        for expr in expressions_of(node):
            for symbol, span in _whole(expr, components):
                graph.edges[node, components[symbol]].setdefault("whole", span)
    return graph


def waiting(graph: networkx.DiGraph[Node]) -> MayWait[Node]:
    """Return a function that decides whether a reference within a cycle can wait (language.md, Cycles).

    It can if a component refers only to outputs of another component, or of itself.

    A component without a source cannot be registered before it has all its inputs.
    """

    def may_wait(source: Node, target: Node) -> bool:
        both = all(isinstance(node, ComponentUse) and node.component is not None for node in (source, target))
        return both and "whole" not in graph.edges[source, target]

    return may_wait


def order_nodes(nodes: Sequence[Node], bag: DiagnosticBag) -> tuple[Node, ...]:
    """Return `nodes` with definitions before uses (language.md, Dependencies): settings and configuration first, outputs
    last, and each of these groups in source order, as far as references allow it.

    Components that depend on each other keep their source order if they need only outputs of each other. Other cycles are
    reported, one diagnostic each; binding has normally rejected them already.
    """
    graph = dependency_graph(nodes)
    bag.extend(_cycles(graph))
    settings = _settings(graph)

    def section(node: Node) -> int:
        if node in settings:
            return 0
        return 2 if isinstance(node, OutputVariable) else 1

    return order(subgraph(graph, sorted(graph, key=section)), waiting(graph))


def _settings(graph: networkx.DiGraph[Node]) -> set[Node]:
    """Return the settings and the configuration, with the locals that their defaults need."""
    settings: set[Node] = set()
    pending: list[Node] = [node for node in graph if isinstance(node, PulumiSettings | ConfigVariable)]
    while pending:
        node = pending.pop()
        if node not in settings:
            settings.add(node)
            pending += graph.successors(node)
    return settings


def cycles(nodes: Sequence[Node]) -> list[Diagnostic]:
    """Return a diagnostic for each cycle in which no reference can wait."""
    return _cycles(dependency_graph(nodes))


def _cycles(graph: networkx.DiGraph[Node]) -> list[Diagnostic]:
    def at_whole(edge: CycleEdge[Node]) -> CycleEdge[Node]:
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


def node_name(node: Node) -> str:
    """The name of `node` as the program writes it."""
    symbol = symbol_of(node)
    return "pulumi" if symbol is None else symbol.name
