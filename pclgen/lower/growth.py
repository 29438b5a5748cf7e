"""Growth of expressions that lowering duplicates.

A call of `can` or `try` over a value that may fail on the way to an output contains it twice: once to test whether it can
be reached, once to use it. Each nesting of such calls doubles the size. Lowering shares the duplicates, but the generated
code contains all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pclgen.core.expr import Expr
from pclgen.core.program import Program
from pclgen.core.walk import children, expressions_of, postorder, programs_of, size
from pclgen.source.text import Span

MOST_NODES: Final = 3_000
"""Maximum number of nodes in a written expression, if most of them are duplicates."""

_FEW_TIMES: Final = 8

MOST_ATTEMPTS: Final = 10
"""Maximum nesting of attempts over awaited values: each is lowered twice."""


class OutgrownError(Exception):
    """Lowering would take too long; `span` is the expression."""

    def __init__(self, span: Span) -> None:
        super().__init__("attempts in attempts")
        self.span = span


def outgrown(program: Program) -> Iterator[Span]:
    """Yield the spans of expressions of a lowered program, and of its components, that are too large to be written because
    their parts are duplicated many times."""
    for inside in programs_of(program):
        for node in inside.nodes:
            yield from (expr.span for expr in expressions_of(node) if _is_outgrown(expr))


def _is_outgrown(expr: Expr) -> bool:
    if size(expr, MOST_NODES + 1) <= MOST_NODES:
        return False
    sizes: dict[int, int] = {}
    for node in postorder(expr):
        sizes[id(node)] = 1 + sum(sizes[id(part)] for part in children(node))
    return sizes[id(expr)] > max(MOST_NODES, _FEW_TIMES * len(sizes))
