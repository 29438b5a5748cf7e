"""What the nodes of a bound program need from each other (language.md, Dependencies).

Comes in: the nodes of a `Program`.  Goes out: a networkx graph of them, by lexical scope: a loop variable or a called
function is never taken for a node of that name.  `order_nodes` puts definitions before uses.
"""

from __future__ import annotations

from collections.abc import Sequence

import networkx

from pclgen.core.expr import Symbol
from pclgen.core.program import ComponentUse, Node
from pclgen.core.walk import expressions_of, references, symbol_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.order import cycle_diagnostic, find_cycles, order, reference_graph


def dependency_graph(nodes: Sequence[Node]) -> networkx.DiGraph[Node]:
    """An edge from each node to each node it refers to, with the place of the first reference as the attribute `span`; nodes
    and edges in source order."""
    declared: dict[Symbol, Node] = {}
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
    return reference_graph(nodes, edges)


def components_may_wait(source: Node, target: Node) -> bool:
    """Whether a reference within a circle can be served later: from component to component, or to itself (language.md,
    Circles).

    A component without a source cannot be registered before it has all its inputs.
    """
    return all(isinstance(node, ComponentUse) and node.component is not None for node in (source, target))


def order_nodes(nodes: Sequence[Node], bag: DiagnosticBag) -> tuple[Node, ...]:
    """`nodes` with definitions before uses (language.md, Dependencies); components that depend on each other keep their
    source order.

    Other circles are reported, one diagnostic each; binding has normally refused them already.
    """
    graph = dependency_graph(nodes)
    bag.extend(cycle_diagnostic(cycle, node_name) for cycle in find_cycles(graph, components_may_wait))
    return order(graph, components_may_wait)


def node_name(node: Node) -> str:
    """The name of `node` as the program writes it."""
    symbol = symbol_of(node)
    return "pulumi" if symbol is None else symbol.name
