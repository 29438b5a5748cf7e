"""The dependency graph as text (DOT, Mermaid, JSON) or as a picture (SVG, a page), for `pclgen graph`.

Equal programs have equal texts. An edge goes from a node to a node it needs. A component is a separate group (a cluster, a
subgraph), drawn once for any number of uses; a dotted edge leads from each use to it. Names come from the user, so every
format quotes them, or escapes them.

A picture is self-contained. The groups are stacked vertically. Within a group, a node is to the right of all nodes that
need it, and nodes of a cycle are in one column; in its column, a node is near the nodes it is connected with (barycenters,
one sweep in each direction: the layered drawing of Sugiyama, Tagawa and Toda, 1981).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Final, assert_never

import networkx as nx
from msgspec import Struct

from pclgen.core import program as prog
from pclgen.core.program import Node, Program
from pclgen.core.walk import components_of
from pclgen.graph.dependencies import dependency_graph, node_name
from pclgen.graph.order import circular_groups
from pclgen.source.text import Span, one_line
from pclgen.types.rules import enforced
from pclgen.widths import text_width

# -- texts ------------------------------------------------------------------------------------------------------------------

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


# -- pictures ---------------------------------------------------------------------------------------------------------------

_COLUMN, _LINE, _MARGIN = 7.3, 17, 12  # pixels of a character, of a line of text, around boxes
_GAP_ACROSS, _GAP_DOWN = 70, 14
STYLE: Final = """\
svg { color-scheme: light dark; background: light-dark(#fff, #1c1c1c); font: 12px ui-monospace, monospace; }
text { fill: light-dark(#1c1c1c, #eee); }
rect { fill: light-dark(#f4f6fb, #2a2f3a); stroke: light-dark(#5b6b8c, #8fa3cc); }
.group { fill: none; stroke-dasharray: 4 3; }
path { fill: none; stroke: light-dark(#5b6b8c, #8fa3cc); }
path:hover { stroke-width: 3; }
.use { stroke-dasharray: 2 3; }
.cycle { stroke: light-dark(#b3261e, #ff8a80); stroke-width: 2; }"""


class Box(Struct, frozen=True, kw_only=True):
    """The position of a node or a group, in pixels."""

    x: float
    y: float
    width: float
    height: float


class Layout(Struct, frozen=True, kw_only=True):
    """All positions: nodes by their id, frames of components by the id of their group."""

    boxes: Mapping[str, Box]
    frames: Mapping[str, Box]
    width: float
    height: float


def to_svg(program: Program, *, label: Callable[[str], str] = str, styled: bool = True) -> str:
    """Return `program` as an SVG picture. An arrow leads from a node to each node it needs; its title shows the location of
    the reference, with `label` of the file name. With `styled`, the picture includes the rules of `STYLE`.

    The box of a node has its id in `export.groups_of` as `data-node`.
    """
    groups = groups_of(program)
    placed = layout(groups)
    size = f"{placed.width:.0f} {placed.height:.0f}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{placed.width:.0f}" role="img">',
        "<title>Dependencies of the program</title>",
        *([f"<style>{STYLE}</style>"] if styled else []),
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8"/></marker></defs>',
    ]
    for group in groups:
        cycles = _cycles(group)
        lines += _frame(group, placed)
        lines += _arrows(group, placed, cycles, label)
        for node, node_id in group.ids.items():
            mark = ' class="cycle"' if node in cycles else ""
            lines.append(_node(node, node_id, placed.boxes[node_id], label, mark=mark))
    for use, target in uses_of(groups):
        lines.append(_arrow(placed.boxes[use], placed.frames[target], "use", "uses the component"))
    return "\n".join([*lines, "</svg>", ""])


def to_html(program: Program) -> str:
    """Return a self-contained page with the picture."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Dependencies</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width"></head><body>\n'
        f"{to_svg(program)}</body></html>\n"
    )


# ------------------------------------------------------------------------------------------------- layout


def layout(groups: Sequence[Group]) -> Layout:
    """Return positions for all nodes of `groups`, without overlaps."""
    boxes: dict[str, Box] = {}
    frames: dict[str, Box] = {}
    right, top = 0.0, float(_MARGIN)
    for group in groups:
        inset = 2 * _MARGIN if group.component is not None else 0
        start = top + (inset + _LINE if inset else 0)
        own = _place(group, _MARGIN + inset, start)
        boxes |= own
        end = max((box.x + box.width for box in own.values()), default=_MARGIN + inset + 80.0)
        bottom = max((box.y + box.height for box in own.values()), default=start)
        if group.component is not None:
            end = max(end, _MARGIN + inset + text_width(group.component.path) * _COLUMN)
            frames[group.id] = Box(x=_MARGIN, y=top, width=end + inset - _MARGIN, height=bottom + _MARGIN - top)
            end, bottom = end + inset, bottom + _MARGIN
        right, top = max(right, end), bottom + 2 * _MARGIN
    return Layout(boxes=boxes, frames=frames, width=right + _MARGIN, height=top)


def _place(group: Group, left: float, top: float) -> dict[str, Box]:
    boxes: dict[str, Box] = {}
    for column in _columns(group):
        sizes = {node: _size(node) for node in column}
        y = top
        for node in column:
            boxes[group.ids[node]] = Box(x=left, y=y, width=sizes[node][0], height=sizes[node][1])
            y += sizes[node][1] + _GAP_DOWN
        left += max(across for across, _ in sizes.values()) + _GAP_ACROSS
    return boxes


def _size(node: Node) -> tuple[float, float]:
    lines = label_of(node)
    return max(text_width(one_line(line)) for line in lines) * _COLUMN + 2 * _MARGIN, len(lines) * _LINE + _MARGIN


def _columns(group: Group) -> list[list[Node]]:
    """Return the nodes from left to right: a node is left of the nodes it needs, except within a cycle."""
    graph = _graph(group)
    merged = nx.condensation(graph)
    depth = {node: level for level, merge in enumerate(nx.topological_generations(merged)) for node in _of(merged, merge)}
    columns: list[list[Node]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in group.ids:
        columns[depth[node]].append(node)
    for sweep in (columns, columns[::-1]):
        for fixed, moved in pairwise(sweep):
            place = {node: index for index, node in enumerate(fixed)}
            pulls = {node: [place[other] for other in nx.all_neighbors(graph, node) if other in place] for node in moved}
            order = {node: index for index, node in enumerate(moved)}
            moved.sort(key=lambda node: sum(pulls[node]) / len(pulls[node]) if pulls[node] else order[node])
    return columns


def _graph(group: Group) -> nx.DiGraph[Node]:
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(group.ids)
    graph.add_edges_from((edge.source, edge.target) for edge in group.edges)
    return graph


def _of(merged: nx.DiGraph[int], generation: Sequence[int]) -> Iterator[Node]:
    for component in generation:
        yield from merged.nodes[component]["members"]


# ------------------------------------------------------------------------------------------------- marks


def _frame(group: Group, placed: Layout) -> Iterator[str]:
    if group.component is not None:
        box = placed.frames[group.id]
        yield _rectangle(box, ' class="group"')
        yield _text(group.component.path, box.x + _MARGIN, box.y + _LINE)


def _cycles(group: Group) -> Mapping[Node, int]:
    """Return the nodes of cycles, with the number of the cycle."""
    graph = _graph(group)
    return {node: index for index, cycle in enumerate(circular_groups(graph)) for node in cycle}


def _node(node: Node, node_id: str, box: Box, label: Callable[[str], str], *, mark: str) -> str:
    at = node.span.start_position
    title = f"{label(node.span.file.name)}:{at.line}"
    lines = [_text(line, box.x + _MARGIN, box.y + _LINE * (row + 1)) for row, line in enumerate(label_of(node))]
    return f'<g data-node="{node_id}"><title>{_escaped(title)}</title>{_rectangle(box, mark)}{"".join(lines)}</g>'


def _arrows(
    group: Group, placed: Layout, cycles: Mapping[Node, int], label: Callable[[str], str]
) -> Iterator[str]:
    for edge in group.edges:
        in_cycle = edge.source in cycles and cycles[edge.source] == cycles.get(edge.target)
        source, target = placed.boxes[group.ids[edge.source]], placed.boxes[group.ids[edge.target]]
        yield _arrow(source, target, "cycle" if in_cycle else "", _need(edge, label))


def _need(edge: Edge, label: Callable[[str], str]) -> str:
    at = edge.span.start_position
    return f"{node_name(edge.source)} needs {node_name(edge.target)}: {label(edge.span.file.name)}:{at.line}:{at.column}"


def _arrow(source: Box, target: Box, kind: str, title: str) -> str:
    """Return a curve from the right side of one box to the left side of another; beside them in one column or for a loop."""
    x1, y1 = source.x + source.width, source.y + source.height / 2
    forward = target.x > x1
    x2, y2 = target.x if forward else target.x + target.width, target.y + target.height / 2
    if source is target:
        y1, y2 = y1 - source.height / 4, y2 + source.height / 4
    bend = (x2 - x1) / 2 if forward else float(_GAP_ACROSS) / 2
    x3 = x2 - bend if forward else x2 + bend
    curve = f"M{x1:.1f} {y1:.1f} C{x1 + bend:.1f} {y1:.1f} {x3:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    mark = f' class="{kind}"' if kind else ""
    return f'<path{mark} d="{curve}" marker-end="url(#head)"><title>{_escaped(title)}</title></path>'


def _rectangle(box: Box, mark: str = "") -> str:
    return f'<rect{mark} x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="4"/>'


def _text(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" xml:space="preserve">{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return escape(one_line(text))
