"""Walks over expressions of the Python tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from pclgen.targets.python import tree


def walk(expr: tree.Expr) -> Iterator[tree.Expr]:
    """`expr` and everything inside it."""
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


def children(expr: tree.Expr) -> Iterable[tree.Expr]:
    """The expressions directly inside `expr`."""
    match expr:
        case tree.Name() | tree.Builtin() | tree.Imported() | tree.Helper() | tree.Constant():
            return ()
        case tree.FormatString():
            return [part.value for part in expr.parts if isinstance(part, tree.Hole)]
        case tree.ListDisplay():
            return [item.value for item in expr.items]
        case tree.Pair():
            return (expr.first, expr.second)
        case tree.DictDisplay():
            return [part for entry in expr.entries for part in (entry.key, entry.value) if part is not None]
        case tree.Call():
            return [expr.function, *(argument.value for argument in expr.args)]
        case tree.Attribute():
            return (expr.value,)
        case tree.Subscript():
            return (expr.value, *expr.keys)
        case tree.Unary():
            return (expr.operand,)
        case tree.Binary():
            return (expr.left, expr.right)
        case tree.IfElse():
            return (expr.then, expr.condition, expr.otherwise)
        case tree.Lambda():
            return (expr.body,)
        case tree.ListComprehension():
            return (expr.element, *_loop(expr.loop))
        case tree.DictComprehension():
            return (expr.key, expr.value, *_loop(expr.loop))
    assert_never(expr)


def _loop(loop: tree.Loop) -> tuple[tree.Expr, ...]:
    return (loop.iterable,) if loop.condition is None else (loop.iterable, loop.condition)
