"""What lowering makes of expressions that share their parts.

A call of `can` or `try` over something that may fail on the way to an output holds it twice: once to see whether it can be
reached, once to use it.  Inside of one another such calls double each time.  Lowering shares what it doubles, but whoever
writes it writes all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from pclgen.core.expr import Expr
from pclgen.core.program import Program
from pclgen.core.walk import children, components_of, expressions_of, postorder, walk
from pclgen.source.text import Span

MOST_NODES: Final = 3_000
"""Nodes of an expression as it is written, when most of them are there several times."""

_FEW_TIMES: Final = 8

MOST_ATTEMPTS: Final = 10
"""Attempts inside of one another over what is waited for: each is looked at twice."""


class OutgrownError(Exception):
    """Lowering would take too long; `span` is the expression."""

    def __init__(self, span: Span) -> None:
        super().__init__("attempts in attempts")
        self.span = span


def outgrown(program: Program) -> Iterator[Span]:
    """The expressions of a lowered program, and of its components, that are too large to be written: parts of them are there
    many times over."""
    for inside in (program, *(component.program for component in components_of(program))):
        for node in inside.nodes:
            yield from (expr.span for expr in expressions_of(node) if _is_outgrown(expr))


def _is_outgrown(expr: Expr) -> bool:
    if sum(1 for _ in islice(walk(expr), MOST_NODES + 1)) <= MOST_NODES:
        return False
    sizes: dict[int, int] = {}
    for node in postorder(expr):
        sizes[id(node)] = 1 + sum(sizes[id(part)] for part in children(node))
    return sizes[id(expr)] > max(MOST_NODES, _FEW_TIMES * len(sizes))
