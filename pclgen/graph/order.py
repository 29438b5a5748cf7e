"""Order of definitions, and circles among them: algorithms on any nodes (spec 10.2, 10.3).

Comes in: nodes in source order, and for each the nodes that it refers to with the places of the references.  Goes out: the
order in which each node comes after those it needs, or the circles.  Used by `bind` on names as written and by
`graph.dependencies` on a bound program.

networkx takes half a second to import, so the ordinary case runs on the few lines of depth-first search here; networkx is
imported only once a circle is known to exist.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from pclgen.diagnostics.model import Diagnostic
from pclgen.diagnostics.order import circular_reference
from pclgen.source.text import Span

T = TypeVar("T", bound=Hashable)

Edges: TypeAlias = Mapping[T, Sequence[tuple[T, Span]]]
"""What each node refers to, and where; in source order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleEdge(Generic[T]):
    """`source` refers to `target` at `span`."""

    source: T
    target: T
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle(Generic[T]):
    """A circle: each edge starts where the one before ends, and the last ends where the first starts.

    It starts at the member that comes first in the source.  `tangled` are the other nodes that cannot be put in order
    because of references among the same nodes.
    """

    edges: tuple[CycleEdge[T], ...]
    tangled: tuple[T, ...] = ()

    @property
    def members(self) -> tuple[T, ...]:
        """The nodes of the circle, in the order of its references."""
        return tuple(edge.source for edge in self.edges)


def order(
    nodes: Sequence[T], edges: Edges[T], *, may_wait: Callable[[T, T], bool] | None = None
) -> tuple[T, ...]:
    """`nodes` with each after those it refers to; source order is kept where nothing speaks against it.

    Depth first in source order: before a node come the nodes it needs, in source order too.  References of a circle for
    which `may_wait(source, target)` holds (components that depend on each other, spec 10.4) do not count.  Other
    circles are the business of `find_cycles`; here they are cut at the reference that closes them.
    """
    ordered, circular = _depth_first(nodes, edges)
    if not circular or may_wait is None:
        return ordered
    group = _group_of(nodes, edges)
    kept = {
        node: [
            (target, span)
            for target, span in edges.get(node, ())
            if group.get(target) != group[node] or not may_wait(node, target)
        ]
        for node in nodes
    }
    return _depth_first(nodes, kept)[0]


def _depth_first(nodes: Sequence[T], edges: Edges[T]) -> tuple[tuple[T, ...], bool]:
    position = {node: index for index, node in enumerate(nodes)}
    ordered: dict[T, None] = {}
    entered: set[T] = set()
    circular = False
    for root in nodes:
        pending: list[tuple[T, bool]] = [(root, False)]
        while pending:
            node, ready = pending.pop()
            if ready:
                ordered[node] = None
            elif node in entered:
                circular = circular or node not in ordered
            else:
                entered.add(node)
                pending.append((node, True))
                needed = {target for target, _ in edges.get(node, ()) if target in position}
                pending.extend((t, False) for t in sorted(needed, key=position.__getitem__, reverse=True))
    return tuple(ordered), circular


def find_cycles(nodes: Sequence[T], edges: Edges[T]) -> list[Cycle[T]]:
    """The circles that keep `nodes` from being ordered: one for each group of nodes that hang together.

    The circle shown is a shortest one through the first node of its group.  Groups are in source order.
    """
    if not _depth_first(nodes, edges)[1]:
        return []
    groups: dict[int, list[T]] = {}
    for node, index in _group_of(nodes, edges).items():
        groups.setdefault(index, []).append(node)
    found: list[Cycle[T]] = []
    for members in groups.values():
        path = _shortest_circle(members[0], set(members), edges)
        if path:
            on_path = {edge.source for edge in path}
            found.append(Cycle(edges=path, tangled=tuple(node for node in members if node not in on_path)))
    return found


def _group_of(nodes: Sequence[T], edges: Edges[T]) -> dict[T, int]:
    """For each node, in source order, the number of its strongly connected component."""
    import networkx

    known = set(nodes)
    pairs = [(node, target) for node in nodes for target, _ in edges.get(node, ()) if target in known]
    groups: Iterable[set[T]] = networkx.strongly_connected_components(networkx.DiGraph(pairs))
    number: dict[T, int] = {}
    for index, members in enumerate(groups):
        number.update(dict.fromkeys(members, index))
    # Nodes without references are not in the graph; each is a group of its own.
    return {node: number.get(node, -1 - place) for place, node in enumerate(nodes)}


def _shortest_circle(start: T, members: Collection[T], edges: Edges[T]) -> tuple[CycleEdge[T], ...]:
    came_by: dict[T, CycleEdge[T]] = {}
    pending = deque([start])
    while pending:
        node = pending.popleft()
        for target, span in edges.get(node, ()):
            if target not in members or target in came_by:
                continue
            came_by[target] = CycleEdge(source=node, target=target, span=span)
            if target == start:
                return _way_back(start, came_by)
            pending.append(target)
    return ()


def _way_back(start: T, came_by: Mapping[T, CycleEdge[T]]) -> tuple[CycleEdge[T], ...]:
    path = [came_by[start]]
    while path[-1].source != start:
        path.append(came_by[path[-1].source])
    return tuple(reversed(path))


def cycle_diagnostic(cycle: Cycle[T], name_of: Callable[[T], str]) -> Diagnostic:
    """The one diagnostic for a circle; `name_of` answers the name of a node as the program writes it."""
    return circular_reference(
        [(name_of(edge.source), name_of(edge.target), edge.span) for edge in cycle.edges],
        tangled=[name_of(node) for node in cycle.tangled],
    )
