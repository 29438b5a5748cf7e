"""Order of definitions, and cycles among them, for any nodes, by networkx (language.md, Cycles; Dependencies).

Nodes come in source order, each with the nodes it refers to and the places of the references. `bind` orders names as
written, and `graph.dependencies` the nodes of a bound program.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar

import networkx
from msgspec import Struct

from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Span

T = TypeVar("T", bound=Hashable)

Edges: TypeAlias = Mapping[T, Sequence[tuple[T, Span]]]
"""The references of each node: targets and spans, in source order."""

MayWait: TypeAlias = Callable[[T, T], bool]
"""Whether a reference of the first node to the second one, in a cycle, can be served later (language.md, Cycles)."""


class CycleEdge(Struct, Generic[T], frozen=True, kw_only=True):
    """`source` refers to `target` at `span`."""

    source: T
    target: T
    span: Span


class Cycle(Struct, Generic[T], frozen=True, kw_only=True):
    """A cycle: each edge starts where the one before ends, and the last ends where the first starts.

    It starts at the member that is first in the source. `tangled` are the other nodes that cannot be ordered because of
    references among the same nodes.
    """

    edges: tuple[CycleEdge[T], ...]
    tangled: tuple[T, ...] = ()

    @property
    def members(self) -> tuple[T, ...]:
        """The nodes of the cycle, in the order of its references."""
        return tuple(edge.source for edge in self.edges)


def reference_graph(nodes: Sequence[T], edges: Edges[T]) -> networkx.DiGraph[T]:
    """Return the graph with an edge from each node to each of `nodes` that it refers to, with the span of the first such
    reference as the attribute `span`; nodes and edges in source order."""
    graph: networkx.DiGraph[T] = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    for node in nodes:
        for target, span in edges.get(node, ()):
            if target in graph and not graph.has_edge(node, target):
                graph.add_edge(node, target, span=span)
    return graph


def without_users(needs: Mapping[T, Iterable[T]], excluded: Iterable[T]) -> set[T]:
    """Return the keys of `needs` that need only such keys, directly and indirectly, and nothing in `excluded`."""
    users: dict[T, list[T]] = {}
    for node, needed in needs.items():
        for other in needed:
            users.setdefault(other, []).append(node)
    waiting = [*excluded, *(users.keys() - needs.keys())]
    reached: set[T] = set()
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += users.get(node, ())
    return needs.keys() - reached


def order(graph: networkx.DiGraph[T], may_wait: MayWait[T]) -> tuple[T, ...]:
    """Return the nodes, each after the nodes it refers to; of several possible next nodes, the first in the source is next.

    The nodes of a cycle are adjacent, ordered by the references that may not wait. If those alone form a cycle, which
    `find_cycles` reports, they stay in source order.
    """
    if networkx.is_directed_acyclic_graph(graph):
        return _definitions_first(graph)
    position = {node: index for index, node in enumerate(graph)}
    groups: networkx.DiGraph[int] = networkx.condensation(graph)
    members: dict[int, list[T]] = {
        group: sorted(data["members"], key=position.__getitem__) for group, data in groups.nodes(data=True)
    }
    in_order = sorted(groups, key=lambda group: position[members[group][0]])
    return tuple(
        node
        for group in _definitions_first(subgraph(groups, in_order))
        for node in _order_of_cycle(graph, members[group], may_wait)
    )


def _order_of_cycle(graph: networkx.DiGraph[T], members: Sequence[T], may_wait: MayWait[T]) -> Sequence[T]:
    urgent = subgraph(graph, members, lambda a, b: not may_wait(a, b))
    return _definitions_first(urgent) if networkx.is_directed_acyclic_graph(urgent) else members


def subgraph(
    graph: networkx.DiGraph[T], members: Sequence[T], counts: Callable[[T, T], bool] = lambda a, b: True
) -> networkx.DiGraph[T]:
    """Return the graph of only `members`, in this order, with the edges that count.

    A view, as `DiGraph.subgraph` returns, would order its nodes by their hashes.
    """
    result: networkx.DiGraph[T] = networkx.DiGraph()
    result.add_nodes_from(members)
    result.add_edges_from((a, b) for a in members for b in graph.successors(a) if b in result and counts(a, b))
    return result


def _definitions_first(graph: networkx.DiGraph[T]) -> tuple[T, ...]:
    position = {node: index for index, node in enumerate(graph)}
    return tuple(networkx.lexicographical_topological_sort(graph.reverse(copy=False), key=position.__getitem__))


def circular_groups(graph: networkx.DiGraph[T]) -> list[list[T]]:
    """Return the groups of nodes that need each other; nodes in source order, groups by their first members.

    A node that needs only itself is a group.
    """
    position = {node: index for index, node in enumerate(graph)}
    groups = [sorted(group, key=position.__getitem__) for group in networkx.strongly_connected_components(graph)]
    circular = [group for group in groups if len(group) > 1 or graph.has_edge(group[0], group[0])]
    return sorted(circular, key=lambda group: position[group[0]])


def find_cycles(graph: networkx.DiGraph[T], may_wait: MayWait[T]) -> list[Cycle[T]]:
    """Return the cycles that prevent an order: one for each group of nodes connected by references that may not wait.

    The cycle is a shortest cycle through the first node of its group. Groups are in source order.
    """
    urgent = subgraph(graph, tuple(graph), lambda a, b: not may_wait(a, b))
    return [_shortest_cycle(graph, subgraph(urgent, group)) for group in circular_groups(urgent)]


def _shortest_cycle(graph: networkx.DiGraph[T], group: networkx.DiGraph[T]) -> Cycle[T]:
    first = next(iter(group))
    distance = networkx.single_source_shortest_path_length(group, first)
    last = min(group.predecessors(first), key=distance.__getitem__)
    path = [*networkx.shortest_path(group, first, last), first]
    edges = tuple(CycleEdge(source=a, target=b, span=graph.edges[a, b]["span"]) for a, b in pairwise(path))
    on_path = set(path)
    return Cycle(edges=edges, tangled=tuple(node for node in group if node not in on_path))


def cycle_diagnostic(cycle: Cycle[T], name_of: Callable[[T], str]) -> Diagnostic:
    """Return the diagnostic for a cycle; `name_of` returns the name of a node as the program writes it."""
    from pclgen.diagnostics.order import circular_reference

    return circular_reference(
        [(name_of(edge.source), name_of(edge.target), edge.span) for edge in cycle.edges],
        tangled=[name_of(node) for node in cycle.tangled],
    )
