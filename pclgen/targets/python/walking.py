"""Walks over expressions of the Python tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

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
    return _PARTS[type(expr)](expr)


def _no_parts(_: tree.Expr) -> tuple[tree.Expr, ...]:
    return ()


def _loop(loop: tree.Loop) -> tuple[tree.Expr, ...]:
    return (loop.iterable,) if loop.condition is None else (loop.iterable, loop.condition)


_PARTS: Final[Mapping[type[tree.Expr], Callable[[Any], Iterable[tree.Expr]]]] = {
    tree.Name: _no_parts,
    tree.Builtin: _no_parts,
    tree.Imported: _no_parts,
    tree.Helper: _no_parts,
    tree.Constant: _no_parts,
    tree.FormatString: lambda e: [part.value for part in e.parts if isinstance(part, tree.Hole)],
    tree.ListDisplay: lambda e: [item.value for item in e.items],
    tree.Pair: attrgetter("first", "second"),
    tree.DictDisplay: lambda e: [part for entry in e.entries for part in (entry.key, entry.value) if part is not None],
    tree.Call: lambda e: [e.function, *[argument.value for argument in e.args]],
    tree.Attribute: lambda e: (e.value,),
    tree.Subscript: lambda e: (e.value, *e.keys),
    tree.Unary: lambda e: (e.operand,),
    tree.Binary: attrgetter("left", "right"),
    tree.IfElse: attrgetter("then", "condition", "otherwise"),
    tree.Lambda: lambda e: (e.body,),
    tree.ListComprehension: lambda e: (e.element, *_loop(e.loop)),
    tree.DictComprehension: lambda e: (e.key, e.value, *_loop(e.loop)),
}
"""How to read the parts of each class, as in `core.walk`."""
