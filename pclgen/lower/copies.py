"""Loops that give each element as it is.

Comes in: `[for x in xs : x]` and `xs[*]` over a list.  Goes out: the list itself, so that nothing waits for it, and nothing
copies it.  Sets, maps, and values that may be null are no such lists: there the loop makes one.
"""

from __future__ import annotations

from pclgen.core.expr import Expr, For, Ref
from pclgen.core.walk import rewrite, walk
from pclgen.types.model import ListType, resolve


def drop_copies(expr: Expr) -> Expr:
    """`expr` without such loops."""
    if not any(_is_copy(node) for node in walk(expr)):
        return expr
    return rewrite(expr, lambda node: node.collection if isinstance(node, For) and _is_copy(node) else node)


def _is_copy(node: Expr) -> bool:
    return (
        isinstance(node, For)
        and node.result_key is None
        and node.condition is None
        and isinstance(node.result, Ref)
        and node.result.symbol is node.value
        and node.type is node.collection.type
        and isinstance(resolve(node.type), ListType)
    )
