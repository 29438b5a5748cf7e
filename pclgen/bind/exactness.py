"""Whole numbers that no double represents exactly: code that computes or carries them would silently round.

Each inexact number of a bound program and its components is an error, reported once for all languages. A number that was
converted to a text keeps all its digits and is not reported.
"""

from __future__ import annotations

from pclgen.core.expr import Expr, Literal
from pclgen.core.program import Program
from pclgen.core.walk import expressions_of, inner_first, walk
from pclgen.diagnostics import values
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.types.model import INT, NUMBER, resolve, without_const

_EXACT = 2**53
_LARGEST = 2**63  # larger numbers are doubles, not ints


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
    """Return the rounded value of a whole number that a double cannot represent.

    None for exact numbers, and for numbers written with a fraction or an exponent, which are doubles.
    """
    if type(expr) is not Literal or type(expr.value) is not int:
        return None
    if not _EXACT < abs(expr.value) <= _LARGEST or without_const(resolve(expr.type)) not in (INT, NUMBER):
        return None
    if any(mark in expr.span.text for mark in ".eE"):
        return None
    held = int(float(expr.value))
    return None if held == expr.value else held
