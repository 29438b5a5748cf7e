"""Components that need each other: outputs of one that is made later, promised beforehand (targets.md, Components that
need each other).

Comes in: the nodes of a program in order.  Goes out: the nodes with references forward replaced by new symbols, and for each
such symbol what it stands for and after which node that is known.

    const [secondUrl, resolveSecondUrl] = pulumi.deferredOutput<string>();
    const first = new First("first", { peer: secondUrl });
    const second = new Second("second", { peer: first.url });
    resolveSecondUrl(second.url);
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pclgen.core.expr import All, Attr, Expr, For, Index, Literal, Ref, Symbol, SymbolKind
from pclgen.core.program import ComponentUse, Input, Node, Resource
from pclgen.core.walk import children, with_children
from pclgen.records import dataclass
from pclgen.targets.names import uppercase_first
from pclgen.types.model import output_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deferred:
    """A promised output: `symbol` stands for `value` until `source` is made."""

    symbol: Symbol
    value: Expr
    source: Symbol


@dataclass(frozen=True, slots=True)
class Order:
    """Nodes without references forward; `before` are the promises that a node needs."""

    nodes: tuple[Node, ...]
    before: dict[Node, list[Deferred]]
    after: dict[Symbol, list[Deferred]]


def defer(nodes: Sequence[Node]) -> Order:
    """Replace every reference to a component that comes later in `nodes`."""
    later = {node.symbol for node in nodes if isinstance(node, ComponentUse)}
    order = Order((), {}, {})
    changed: list[Node] = []
    for node in nodes:
        if isinstance(node, ComponentUse | Resource) and later:
            found: list[Deferred] = []
            made = _without(node, later, found)
            if found:
                order.before[made] = found
                for item in found:
                    order.after.setdefault(item.source, []).append(item)
            changed.append(made)
        else:
            changed.append(node)
        if isinstance(node, ComponentUse):
            later.discard(node.symbol)
    return Order(tuple(changed), order.before, order.after)


def _without(node: Resource | ComponentUse, later: set[Symbol], found: list[Deferred]) -> Resource | ComponentUse:
    inputs = tuple(_input(given, later, found) for given in node.inputs)
    return node if not found else replace(node, inputs=inputs)


def _input(given: Input, later: set[Symbol], found: list[Deferred]) -> Input:
    value = _replace(given.value, later, found)
    return given if value is given.value else replace(given, value=value)


def _replace(expr: Expr, later: set[Symbol], found: list[Deferred]) -> Expr:
    root = _root(expr)
    if root is not None and root in later and expr.type.eventual:
        return _promise(expr, root, found)
    parts = [_replace(part, later, found) for part in children(expr)]
    changed = with_children(expr, parts)
    if isinstance(changed, All) and isinstance(changed.value, Ref) and changed is not expr:
        return changed.value
    return changed


def _root(expr: Expr) -> Symbol | None:
    """The variable that a path, or a loop over one, begins with."""
    if isinstance(expr, For):
        expr = expr.collection
    elif not isinstance(expr, Attr | Index):
        return None
    while isinstance(expr, Attr | Index):
        expr = expr.source
    return expr.symbol if isinstance(expr, Ref) else None


def _promise(expr: Expr, root: Symbol, found: list[Deferred]) -> Expr:
    type_ = output_of(expr.type)
    symbol = Symbol(name=_name(expr), kind=SymbolKind.LOCAL, type=type_, span=expr.span)
    found.append(Deferred(symbol=symbol, value=expr, source=root))
    return Ref(symbol=symbol, type=type_, span=expr.span)


def _name(expr: Expr) -> str:
    """`second.url` -> `secondUrl`; a loop over `many` -> `loopingOverMany`."""
    if isinstance(expr, For):
        return "loopingOver" + uppercase_first(_name(expr.collection))
    match expr:
        case Attr():
            return _name(expr.source) + uppercase_first(expr.name)
        case Index():
            key = expr.key.value if isinstance(expr.key, Literal) else "key"
            return f"{_name(expr.source)}At{uppercase_first(str(key))}"
        case Ref():
            return expr.symbol.name
        case _:
            return "value"
