"""Projections of literals: a literal index or member of a list or object literal.

A literal key of a list or object literal with outputs is replaced by the selected part, so that nothing waits for the
other parts:

    ["k", r.out][0] == "k"      ->  "k" == "k"
    { a = r.out, b = 1 }.b + 1  ->  1 + 1

This applies only if the dropped parts cannot fail.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_resource_like
from pclgen.core.walk import rewrite, walk
from pclgen.lower.retype import with_type


def pick_parts(expr: core.Expr) -> core.Expr:
    """Replace such projections in `expr`."""
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
