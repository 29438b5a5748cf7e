"""What the nodes of a bound program need from each other (spec 10.1, without its holes).

Comes in: the nodes of a `Program`.  Goes out: edges between them, each with the place of the reference, by lexical scope:
a loop variable or a called function is never taken for a node of that name.  `order_nodes` puts definitions before uses;
`networkx_graph` is the same as a networkx graph, for exports and for whoever wants to ask more of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pclgen.core.expr import Symbol
from pclgen.core.program import ComponentUse, Node
from pclgen.core.walk import expressions_of, references, symbol_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.order import cycle_diagnostic, find_cycles, order
from pclgen.source.text import Span

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """`source` refers to `target` at `span`."""

    source: Node
    target: Node
    span: Span


def dependencies(nodes: Iterable[Node]) -> dict[Node, list[tuple[Node, Span]]]:
    """For each node the nodes that it refers to, in order of the references (one entry a reference)."""
    nodes = tuple(nodes)
    declared: dict[Symbol, Node] = {}
    for node in nodes:
        symbol = symbol_of(node)
        if symbol is not None:
            declared[symbol] = node
    return {
        node: [
            (declared[symbol], span)
            for expr in expressions_of(node)
            for symbol, span in references(expr)
            if symbol in declared
        ]
        for node in nodes
    }


def first_references(nodes: Iterable[Node]) -> tuple[Dependency, ...]:
    """The edges of the dependency graph: each pair of nodes once, at its first reference."""
    found: dict[tuple[Node, Node], Dependency] = {}
    for source, targets in dependencies(nodes).items():
        for target, span in targets:
            found.setdefault((source, target), Dependency(source=source, target=target, span=span))
    return tuple(found.values())


def components_may_wait(source: Node, target: Node) -> bool:
    """Whether a reference within a circle can be served later: from component to component, or to itself (spec 10.4).

    A component without a source cannot be registered before it has all its inputs.
    """
    return all(isinstance(node, ComponentUse) and node.component is not None for node in (source, target))


def order_nodes(nodes: Sequence[Node], bag: DiagnosticBag) -> tuple[Node, ...]:
    """`nodes` with definitions before uses (spec 10.3); components that depend on each other keep their source order.

    Other circles are reported, one diagnostic each; binding has normally refused them already.
    """
    edges = dependencies(nodes)
    ordered = order(nodes, edges, may_wait=components_may_wait)
    position = {node: index for index, node in enumerate(ordered)}
    if any(
        position[target] >= position[node] and not components_may_wait(node, target)
        for node, targets in edges.items()
        for target, _ in targets
    ):
        strict = {n: [edge for edge in found if not components_may_wait(n, edge[0])] for n, found in edges.items()}
        bag.extend(cycle_diagnostic(cycle, node_name) for cycle in find_cycles(nodes, strict))
    return ordered


def networkx_graph(nodes: Iterable[Node]) -> networkx.DiGraph[Node]:
    """The graph as networkx sees it: an edge from each node to each node it needs, with the span of the first reference as
    the edge attribute `span`."""
    import networkx

    nodes = tuple(nodes)
    edges = first_references(nodes)
    graph: networkx.DiGraph[Node] = networkx.DiGraph((edge.source, edge.target, {"span": edge.span}) for edge in edges)
    graph.add_nodes_from(nodes)
    return graph


def node_name(node: Node) -> str:
    """The name of `node` as the program writes it."""
    symbol = symbol_of(node)
    return "pulumi" if symbol is None else symbol.name
