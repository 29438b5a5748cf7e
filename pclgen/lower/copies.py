"""Loops that return each element unchanged, and loops over nothing.

`[for x in xs : x]` and `xs[*]` over a list, and `{for k, v in m : k => v}` over a map, are the collection itself, so that
nothing waits for it and nothing copies it. Over sets, objects and values that may be null, the loop creates a new
collection, and stays. `[for x in [] : f(x)]` is the empty list.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.walk import rewrite, walk
from pclgen.types.model import ListType, MapType, resolve


def drop_copies(expr: core.Expr) -> core.Expr:
    """Return `expr` with copying loops replaced by their collections, and loops over empty collections by empty ones."""
    if not any(_is_copy(node) or _is_over_nothing(node) for node in walk(expr)):
        return expr
    return rewrite(expr, _without_loop)


def _without_loop(node: core.Expr) -> core.Expr:
    if isinstance(node, core.For) and _is_copy(node):
        return node.collection
    if isinstance(node, core.For) and _is_over_nothing(node):
        if node.result_key is None:
            return core.ListExpr(elements=(), type=node.type, span=node.span)
        return core.ObjectExpr(items=(), type=node.type, span=node.span)
    return node


def _is_over_nothing(node: core.Expr) -> bool:
    if not isinstance(node, core.For) or node.type.eventual:
        return False
    source = node.collection
    return (isinstance(source, core.ListExpr) and not source.elements) or (
        isinstance(source, core.ObjectExpr) and not source.items
    )


def _is_copy(node: core.Expr) -> bool:
    if not isinstance(node, core.For) or node.condition is not None or node.group or node.type is not node.collection.type:
        return False
    if node.result_key is None:
        return _is(node.result, node.value) and isinstance(resolve(node.type), ListType)
    return _is(node.result_key, node.key) and _is(node.result, node.value) and isinstance(resolve(node.type), MapType)


def _is(expr: core.Expr, symbol: core.Symbol | None) -> bool:
    return isinstance(expr, core.Ref) and expr.symbol is symbol
