"""Whole numbers that no double holds: everything that computes and carries numbers would round them without a word.

Each such number of a bound program and its components is an error, reported once for all languages. A number that became a
text keeps all its digits and is not one of them.
"""

from __future__ import annotations

from pclgen.core.expr import Expr, Literal
from pclgen.core.program import Program
from pclgen.core.walk import expressions_of, inner_first, walk
from pclgen.diagnostics import values
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.types.model import INT, NUMBER, resolve, without_const

_EXACT = 2**53
_LARGEST = 2**63  # what is larger is no int, but a double from the start


def refuse_rounded(program: Program, bag: DiagnosticBag) -> None:
    """Report each whole number of `program` and of its components that a double would round."""
    for inside in (*(component.program for component in inner_first(program)), program):
        for node in inside.nodes:
            for expr in expressions_of(node):
                for part in walk(expr):
                    held = _rounded(part)
                    if held is not None:
                        bag.add(values.rounded_number(part.span.text, str(held), part.span))


def _rounded(expr: Expr) -> int | None:
    """Return what a double makes of a whole number that it cannot hold; None for all that it can, and for what is written as
    a double: with a fraction or an exponent."""
    if not isinstance(expr, Literal) or isinstance(expr.value, bool) or not isinstance(expr.value, int):
        return None
    if not _EXACT < abs(expr.value) <= _LARGEST or without_const(resolve(expr.type)) not in (INT, NUMBER):
        return None
    if any(mark in expr.span.text for mark in ".eE"):
        return None
    held = int(float(expr.value))
    return None if held == expr.value else held
