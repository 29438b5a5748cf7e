"""Operator precedence, and gofmt's blanks around operators.

This module decides which expressions need parentheses, and up to which precedence operators have blanks around them: the
deeper the expression, the fewer blanks.
"""

from __future__ import annotations

from typing import Final

from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go

HIGHEST: Final = 7
UNARY: Final = 6
PRECEDENCE: Final = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "+": 4,
    "-": 4,
    "*": 5,
    "/": 5,
    "%": 5,
}


_LOOSE: Final = (go.Binary, go.Unary, go.Star, go.Number, go.Text)
"""The classes of expressions that may need parentheses."""


def precedence_of(e: go.Expr) -> int:
    """Return the precedence of `e`; as an operand of a tighter operator, it needs parentheses."""
    if type(e) not in _LOOSE:
        return HIGHEST
    match e:
        case go.Binary():
            return PRECEDENCE[e.operator]
        case go.Unary() | go.Star():
            return UNARY
        case go.Number():
            return UNARY if e.text.startswith("-") else HIGHEST
        case go.Text():
            return PRECEDENCE["+"] if len(literals_of(e)) > 1 else HIGHEST
        case _:
            return HIGHEST


def literals_of(e: go.Text) -> list[str]:
    """Return the literals of a text, which are joined with `+`."""
    return [quoting.tag_literal(e.value)] if e.raw else quoting.literals(e.value, multiline=e.multiline)


def operand_precedence(e: go.Unary) -> int:
    """Return the minimum precedence of the operand of `e`; higher if both operators would join (`--x`)."""
    inner = e.operand
    doubles = e.operator in "-&" and (
        (isinstance(inner, go.Unary) and inner.operator == e.operator)
        or (isinstance(inner, go.Number) and inner.text.startswith(e.operator))
    )
    return UNARY + 1 if doubles else UNARY


def would_join(operator: str, begins: str) -> bool:
    """Return whether `operator` and a following text that starts with `begins` would be read as one token."""
    return operator + begins in ("--", "/*", "<-")


class Spacing:
    """Blanks around operators; caches the results for operands."""

    __slots__ = ("_walked",)

    def __init__(self) -> None:
        self._walked: dict[int, tuple[bool, bool, int]] = {}

    def around(self, e: go.Binary, depth: int) -> str:
        """Return the text on both sides of the operator of `e`: a blank or nothing."""
        return " " if PRECEDENCE[e.operator] < self._cutoff(e, depth) else ""

    def _cutoff(self, e: go.Binary, depth: int) -> int:
        """Return the precedence below which operators get blanks."""
        has_sum, has_product, problem = self._walk(e)
        if problem > 0:
            return problem + 1
        if has_sum and has_product:
            return 5 if depth == 1 else 4
        return 6 if depth == 1 else 4

    def _walk(self, e: go.Binary) -> tuple[bool, bool, int]:
        """Return whether `e` contains sums and products, and the highest precedence whose operators must not lose blanks."""
        cached = self._walked.get(id(e))
        if cached is not None:
            return cached
        precedence = PRECEDENCE[e.operator]
        has_sum, has_product, problem = precedence == 4, precedence == 5, 0
        for side, child in (("left", e.left), ("right", e.right)):
            if isinstance(child, go.Binary):
                inner = PRECEDENCE[child.operator]
                if inner > precedence or (side == "left" and inner == precedence):
                    s, p, m = self._walk(child)
                    has_sum, has_product, problem = has_sum or s, has_product or p, max(problem, m)
            elif side == "right":
                problem = max(problem, _glue_problem(e.operator, child))
        self._walked[id(e)] = has_sum, has_product, problem
        return has_sum, has_product, problem


def _glue_problem(operator: str, right: go.Expr) -> int:
    if isinstance(right, go.Star):
        return 5 if operator == "/" else 0
    mark = right.operator if isinstance(right, go.Unary) else right.text[0] if isinstance(right, go.Number) else ""
    if operator + mark == "&&&":
        return 5
    return 4 if operator + mark == "--" else 0
