"""The dependency graph as DOT, Mermaid or JSON text, for `pclgen graph`.

Equal programs have equal texts. An edge goes from a node to a node it needs. A component is a
separate group (a cluster, a subgraph), drawn once for any number of uses; a dotted edge leads from each use to it.
Names come from the user, so every format quotes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct

from pclgen.core import program as prog
from pclgen.core.walk import components_of
from pclgen.graph.dependencies import dependency_graph, node_name
from pclgen.source.text import Span
from pclgen.types.rules import enforced


class Edge(Struct, frozen=True, kw_only=True):
    """`source` refers to `target`, for the first time at `span`."""

    source: prog.Node
    target: prog.Node
    span: Span


class Group(Struct, frozen=True, kw_only=True):
    """The graph of one program: the root or a component.  `ids` are unique over all groups."""

    id: str
    component: prog.Component | None
    ids: dict[prog.Node, str]
    edges: tuple[Edge, ...]


def to_dot(program: prog.Program) -> str:
    """`program` in the language of Graphviz."""
    groups = groups_of(program)
    lines = ["digraph {", "  rankdir=LR;", "  node [shape=box];"]
    for group in groups:
        lines += _dot_group(group)
    lines += [f"  {use} -> {target} [style=dotted];" for use, target in uses_of(groups)]
    return "\n".join([*lines, "}", ""])


def _dot_group(group: Group) -> Iterator[str]:
    indent = "  "
    if group.component is not None:
        indent = "    "
        yield f"  subgraph cluster_{group.id} {{"
        yield f"    label={_dot_text(group.component.path)};"
        yield f'    {group.id} [shape=point, label=""];'
    for node, node_id in group.ids.items():
        label = "\n".join(label_of(node))
        yield f"{indent}{node_id} [label={_dot_text(label)}];"
    for edge in group.edges:
        yield f"{indent}{group.ids[edge.source]} -> {group.ids[edge.target]};"
    if group.component is not None:
        yield "  }"


def _dot_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n")
    return f'"{escaped}"'


def to_mermaid(program: prog.Program) -> str:
    """`program` as a Mermaid flow chart."""
    groups = groups_of(program)
    lines = ["flowchart LR"]
    for group in groups:
        lines += _mermaid_group(group)
    lines += [f"  {use} -.-> {target}" for use, target in uses_of(groups)]
    return "\n".join([*lines, ""])


def _mermaid_group(group: Group) -> Iterator[str]:
    indent = "  "
    if group.component is not None:
        indent = "    "
        yield f"  subgraph {group.id}[{_mermaid_text(group.component.path)}]"
    for node, node_id in group.ids.items():
        label = "<br>".join(_mermaid_escape(line) for line in label_of(node))
        yield f'{indent}{node_id}["{label}"]'
    for edge in group.edges:
        yield f"{indent}{group.ids[edge.source]} --> {group.ids[edge.target]}"
    if group.component is not None:
        yield "  end"


def _mermaid_text(text: str) -> str:
    return f'"{_mermaid_escape(text)}"'


def _mermaid_escape(text: str) -> str:
    # Mermaid reads Markdown, HTML and its own `#…;` entities inside quotes; only plain letters are safe.
    return "".join(c if c.isalnum() or c in " _-.:/" else f"#{ord(c)};" for c in text)


def to_json(program: prog.Program) -> str:
    """`program` as JSON: `nodes`, `edges` and `components`, which have the same form."""
    root, *components = groups_of(program)
    value = _json_group(root) | {"components": [_json_component(group) for group in components]}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _json_component(group: Group) -> dict[str, object]:
    assert group.component is not None
    return {"id": group.id, "name": group.component.name, "path": group.component.path, **_json_group(group)}


def _json_group(group: Group) -> dict[str, object]:
    nodes = [_json_node(node, node_id) for node, node_id in group.ids.items()]
    return {"nodes": nodes, "edges": [_json_edge(edge, group) for edge in group.edges]}


def _json_node(node: prog.Node, node_id: str) -> dict[str, object]:
    at = node.span.start_position
    return {
        "id": node_id,
        "kind": _kind(node),
        "name": node_name(node),
        "token": _token(node),
        "file": node.span.file.name,
        "line": at.line,
    }


def _json_edge(edge: Edge, group: Group) -> dict[str, object]:
    at = edge.span.start_position
    return {
        "from": group.ids[edge.source],
        "to": group.ids[edge.target],
        "file": edge.span.file.name,
        "line": at.line,
        "column": at.column,
    }


def groups_of(program: prog.Program) -> list[Group]:
    """Return the root, then every component reachable from it, each once, in order of first use."""
    groups: list[Group] = []
    count = 0
    for index, owner in enumerate((None, *components_of(program))):
        nodes = program.nodes if owner is None else owner.program.nodes
        ids = {node: f"n{count + number}" for number, node in enumerate(nodes)}
        count += len(nodes)
        groups.append(Group(id=f"g{index}", component=owner, ids=ids, edges=_edges(nodes)))
    return groups


def _edges(nodes: tuple[prog.Node, ...]) -> tuple[Edge, ...]:
    """Return the edges in source order of their sources, then of their targets."""
    position = {node: index for index, node in enumerate(nodes)}
    graph_edges = dependency_graph(nodes).edges(data=True)
    edges = [Edge(source=a, target=b, span=data["span"]) for a, b, data in graph_edges]
    return tuple(sorted(edges, key=lambda edge: (position[edge.source], position[edge.target])))


def uses_of(groups: list[Group]) -> Iterator[tuple[str, str]]:
    """Yield the ids of component uses, with the ids of their groups."""
    by_component = {group.component: group.id for group in groups if group.component is not None}
    for group in groups:
        for node, node_id in group.ids.items():
            if isinstance(node, prog.ComponentUse) and node.component is not None:
                yield node_id, by_component[node.component]


def label_of(node: prog.Node) -> tuple[str, ...]:
    """Return the lines in the box: kind and name, and below them the token."""
    # A variable with a check is renamed by the binder; its box shows its logical name (`bind.variables.with_check`).
    name = (
        node.logical_name if isinstance(node, prog.ConfigVariable) and enforced(node.rule) is not None else node_name(node)
    )
    head = name if isinstance(node, prog.PulumiSettings) else f"{_kind(node)} {name}"
    token = _token(node)
    return (head,) if token is None else (head, token)


def _kind(node: prog.Node) -> str:
    match node:
        case prog.ConfigVariable():
            return "config"
        case prog.Local():
            return "local"
        case prog.Resource():
            return "resource" if node.read_id is None else "read"
        case prog.ComponentUse():
            return "component"
        case prog.Hook():
            return "hook"
        case prog.OutputVariable():
            return "output"
        case prog.PulumiSettings():
            return "pulumi"
        case _:
            assert_never(node)


def _token(node: prog.Node) -> str | None:
    match node:
        case prog.Resource():
            return node.token
        case prog.ComponentUse():
            return node.token if node.component is None else node.component.path
        case _:
            return None
