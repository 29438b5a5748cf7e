"""Loops that give each element as it is.

Comes in: `[for x in xs : x]` and `xs[*]` over a list, `{for k, v in m : k => v}` over a map.  Goes out: the collection, so
that nothing waits for it, and nothing copies it.  Sets, objects, and values that may be null are no such collections:
there the loop makes one.
"""

from __future__ import annotations

from pclgen.core.expr import Expr, For, Ref, Symbol
from pclgen.core.walk import rewrite, walk
from pclgen.types.model import ListType, MapType, resolve


def drop_copies(expr: Expr) -> Expr:
    """`expr` without such loops."""
    if not any(_is_copy(node) for node in walk(expr)):
        return expr
    return rewrite(expr, lambda node: node.collection if isinstance(node, For) and _is_copy(node) else node)


def _is_copy(node: Expr) -> bool:
    if not isinstance(node, For) or node.condition is not None or node.group or node.type is not node.collection.type:
        return False
    if node.result_key is None:
        return _is(node.result, node.value) and isinstance(resolve(node.type), ListType)
    return _is(node.result_key, node.key) and _is(node.result, node.value) and isinstance(resolve(node.type), MapType)


def _is(expr: Expr, symbol: Symbol | None) -> bool:
    return isinstance(expr, Ref) and expr.symbol is symbol
