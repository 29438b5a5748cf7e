"""Ordering and cycles on small graphs of letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.diagnostics.model import Diagnostic
from pclgen.graph.order import Cycle, Edges, T, cycle_diagnostic, find_cycles, order, reference_graph
from pclgen.source.text import SourceFile, Span

TEXT = SourceFile("main.pp", "".join(f"{chr(97 + i % 26)} = x\n" for i in range(400)))


def edges_of(uses: Mapping[str, str]) -> Edges[str]:
    """`{"b": "ac"}`: b refers to a and c; the n-th reference overall is on line n."""
    place = 0
    edges: dict[str, list[tuple[str, Span]]] = {}
    for source, targets in uses.items():
        for target in targets:
            edges.setdefault(source, []).append((target, TEXT.span(place * 6, place * 6 + 1)))
            place += 1
    return edges


def never(source: object, target: object) -> bool:
    return False


def always(source: object, target: object) -> bool:
    return True


def cycles_of(nodes: Sequence[T], edges: Edges[T]) -> list[Cycle[T]]:
    return find_cycles(reference_graph(nodes, edges), never)


def ordered(nodes: str, uses: Mapping[str, str]) -> str:
    return "".join(order(reference_graph(nodes, edges_of(uses)), never))


def diagnostics(nodes: Sequence[str], uses: Mapping[str, str]) -> list[Diagnostic]:
    return [cycle_diagnostic(cycle, str) for cycle in cycles_of(nodes, edges_of(uses))]


ORDERS: Mapping[str, tuple[str, Mapping[str, str], str]] = {
    "without references, source order stays": ("dcba", {}, "dcba"),
    "a use moves behind what it needs": ("abcd", {"a": "c"}, "bcad"),
    "what is needed comes in source order, whatever the order of references": ("abcd", {"a": "dcb"}, "bcda"),
    "needs of needs come first": ("abcd", {"a": "b", "b": "c", "c": "d"}, "dcba"),
    "references to unknown nodes are ignored": ("ab", {"a": "zb"}, "ba"),
}


@pytest.mark.parametrize("rule", ORDERS)
def test_order(rule: str) -> None:
    nodes, uses, expected = ORDERS[rule]
    assert ordered(nodes, uses) == expected


def test_mutually_dependent_nodes_that_may_wait_keep_source_order() -> None:
    graph = reference_graph("abc", edges_of({"a": "b", "b": "a", "c": "b"}))
    assert "".join(order(graph, always)) == "abc"
    assert find_cycles(graph, always) == []


def test_a_cycle_is_ordered_by_the_references_that_may_not_wait() -> None:
    graph = reference_graph("abcd", edges_of({"a": "b", "b": "c", "c": "a", "d": "a"}))
    assert "".join(order(graph, lambda source, target: source == "c")) == "cbad"


def test_waiting_is_for_cycles_only() -> None:
    assert "".join(order(reference_graph("ab", edges_of({"a": "b"})), always)) == "ba"


def test_no_cycles() -> None:
    assert cycles_of("abc", edges_of({"a": "bc", "b": "c"})) == []


def test_a_node_that_needs_itself() -> None:
    (diagnostic,) = diagnostics("ab", {"b": "b"})
    assert diagnostic.code == "PCL0801"
    assert diagnostic.message == "`b` depends on itself"
    assert diagnostic.notes == ()


def test_one_diagnostic_names_all_members_and_every_reference() -> None:
    (diagnostic,) = diagnostics("abc", {"a": "c", "b": "a", "c": "b"})
    assert diagnostic.message == "`a`, `c` and `b` refer to each other in a cycle"
    assert diagnostic.primary is not None
    assert diagnostic.primary.start_position.line == 1
    assert diagnostic.label == "`a` refers to `c` here"
    assert [(note.message, note.span.start_position.line if note.span else 0) for note in diagnostic.notes] == [
        ("`c` refers to `b` here", 3),
        ("`b` refers to `a` here", 2),
    ]


def test_separate_cycles_are_separate_diagnostics_in_source_order() -> None:
    results = diagnostics("abcd", {"c": "d", "d": "c", "a": "b", "b": "a"})
    assert [d.message for d in results] == [
        "`a` and `b` refer to each other in a cycle",
        "`c` and `d` refer to each other in a cycle",
    ]


def test_a_knot_shows_its_shortest_cycle_and_names_the_rest() -> None:
    (diagnostic,) = diagnostics("abc", {"a": "bc", "b": "ca", "c": "a"})
    assert diagnostic.message == "`a` and `b` refer to each other in a cycle"
    assert diagnostic.notes[-1].message == "`c` is part of other cycles with these"


def test_long_cycles_are_cut_in_the_message_not_in_the_notes() -> None:
    names = [f"n{i:02}" for i in range(20)]
    uses = {name: [names[(i + 1) % 20]] for i, name in enumerate(names)}
    edges = {name: [(targets[0], TEXT.span(i, i + 1))] for i, (name, targets) in enumerate(uses.items())}
    (cycle,) = cycles_of(names, edges)
    diagnostic = cycle_diagnostic(cycle, str)
    assert diagnostic.message.endswith("`n07` and 12 more refer to each other in a cycle")
    assert len(diagnostic.notes) == 19


def test_a_chain_of_ten_thousand_is_ordered() -> None:
    count = 10_000
    edges = {i: [(i + 1, TEXT.span(0, 1))] for i in range(count - 1)}
    assert order(reference_graph(range(count), edges), never) == tuple(reversed(range(count)))


GRAPHS = st.dictionaries(st.integers(0, 11), st.lists(st.integers(0, 11), max_size=4), max_size=12)


@given(GRAPHS)
def test_order_and_cycles_agree(uses: dict[int, list[int]]) -> None:
    edges = {source: [(target, TEXT.span(source, source + 1)) for target in uses[source]] for source in uses}
    nodes = range(12)
    result = order(reference_graph(nodes, edges), never)
    assert sorted(result) == list(nodes)
    place = {node: index for index, node in enumerate(result)}
    late = [(a, b) for a, targets in uses.items() for b in targets if place[b] >= place[a]]
    cycles = cycles_of(nodes, edges)
    assert bool(late) == bool(cycles)
    for cycle in cycles:
        assert [edge.target for edge in cycle.edges] == [*cycle.members[1:], cycle.members[0]]
        assert all(edge.target in uses[edge.source] for edge in cycle.edges)
    inside = {member for cycle in cycles for member in (*cycle.members, *cycle.tangled)}
    assert {node for edge in late for node in edge} <= inside
