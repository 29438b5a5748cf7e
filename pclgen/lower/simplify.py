"""Simpler forms of expressions with the same value, so that nothing waits for parts that the program does not use.

Copies: `[for x in xs : x]` and `xs[*]` over a list, and `{for k, v in m : k => v}` over a map, are the collection itself.
Over sets, objects and values that may be null, the loop creates a new collection, and stays. `[for x in [] : f(x)]` is the
empty list.

Projections: a literal key of a list or object literal with outputs selects a part, if the dropped parts cannot fail:

    ["k", r.out][0] == "k"      ->  "k" == "k"
    { a = r.out, b = 1 }.b + 1  ->  1 + 1
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_resource_like
from pclgen.core.walk import rewrite, walk
from pclgen.lower.retype import with_type
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


def pick_parts(expr: core.Expr) -> core.Expr:
    """Return `expr` with projections of literals replaced by the selected parts."""
    if not any(_picked(node) is not None for node in walk(expr)):
        return expr

    def change(node: core.Expr) -> core.Expr:
        part = _picked(node)
        return node if part is None else with_type(part, node.type)

    return rewrite(expr, change)


def _picked(node: core.Expr) -> core.Expr | None:
    """Return the part that a step selects; None if that is uncertain, or if other parts may fail."""
    if not isinstance(node, core.Attr | core.Index) or not holds_eventual(node.source.type):
        return None
    source = node.source
    key = node.name if isinstance(node, core.Attr) else (node.key.value if isinstance(node.key, core.Literal) else None)
    if isinstance(source, core.ListExpr) and isinstance(key, int) and 0 <= key < len(source.elements):
        rest = [element for index, element in enumerate(source.elements) if index != key]
        return source.elements[key] if all(_cannot_fail(part) for part in rest) else None
    if not isinstance(source, core.ObjectExpr) or not isinstance(key, str):
        return None
    if not all(isinstance(item.key, core.Literal) for item in source.items):
        return None
    matches = [item for item in source.items if isinstance(item.key, core.Literal) and item.key.value == key]
    if len(matches) != 1 or not all(_cannot_fail(item.value) for item in source.items if item is not matches[0]):
        return None
    return matches[0].value


def _cannot_fail(expr: core.Expr) -> bool:
    return all(_is_harmless(node) for node in walk(expr))


def _is_harmless(node: core.Expr) -> bool:
    match node:
        case core.Literal() | core.Ref() | core.ListExpr():
            return True
        case core.ObjectExpr():
            return all(isinstance(item.key, core.Literal) for item in node.items)
        case core.Attr():
            return isinstance(node.source, core.Ref) and is_resource_like(node.source.type)
        case _:
            return False
