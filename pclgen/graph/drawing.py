"""The dependency graph as a self-contained picture: SVG, or a page with it, for `pclgen graph`.

The groups of `export` are stacked vertically. Within a group, a node is to the right of all nodes that need it, and nodes
of a cycle are in one column; in its column, a node is near the nodes it is connected with (barycenters, one sweep in each
direction: the layered drawing of Sugiyama, Tagawa and Toda, 1981). All texts come from the user and are escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Final

import networkx as nx
from msgspec import Struct

from pclgen.core.program import Node, Program
from pclgen.graph.dependencies import node_name
from pclgen.graph.export import Edge, Group, groups_of, label_of, uses_of
from pclgen.graph.order import circular_groups
from pclgen.source.text import one_line
from pclgen.widths import text_width

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
