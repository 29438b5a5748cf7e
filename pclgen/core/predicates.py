"""Predicates on single expressions: numbers that are never negative, conditions and their consequences."""

from __future__ import annotations

from collections.abc import Container, Iterator
from decimal import Decimal

from msgspec.structs import replace

from pclgen.core import expr as core

_OPPOSITES = {"==": "!=", "!=": "=="}


def is_natural(expr: core.Expr, naturals: Container[core.Symbol]) -> bool:
    """Return whether a number is surely not negative; `naturals` are symbols that never are, such as list positions."""
    match expr:
        case core.Literal(value=int() | Decimal() as value):
            return value >= 0
        case core.Ref():
            return expr.symbol in naturals
        case core.Call():
            return expr.function.name == "length"
        case core.Binary(operator="+" | "*" | "%"):
            return is_natural(expr.left, naturals) and is_natural(expr.right, naturals)
        case _:
            return False


def is_null(expr: core.Expr | None) -> bool:
    """Return whether an expression is the literal null."""
    return isinstance(expr, core.Literal) and expr.value is None


def unconverted(expr: core.Expr) -> core.Expr:
    """Return the expression behind the conversions of `expr`."""
    while isinstance(expr, core.Convert):
        expr = expr.value
    return expr


def as_condition(expr: core.Conditional) -> core.Expr | None:
    """`c` for `c ? true : false`, and its opposite for `c ? false : true`; None for other conditionals."""
    match expr.then, expr.otherwise:
        case core.Literal(value=True), core.Literal(value=False):
            return expr.condition
        case core.Literal(value=False), core.Literal(value=True):
            return opposite(expr.condition)
        case _:
            return None


def opposite(condition: core.Expr) -> core.Expr:
    """Return the negation of `condition`; an equality becomes an inequality, and vice versa."""
    if isinstance(condition, core.Binary) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    if isinstance(condition, core.Unary) and condition.operator == "!":
        return condition.operand
    return core.Unary(operator="!", operand=condition, type=condition.type, span=condition.span)


def not_null_where(condition: core.Expr, *, holds: bool) -> Iterator[core.Expr]:
    """Yield the expressions that `condition` compares with null and proves not null if it holds (or does not)."""
    match condition:
        case core.Unary(operator="!"):
            yield from not_null_where(condition.operand, holds=not holds)
        case core.Binary(operator="&&" | "||") if (condition.operator == "&&") == holds:
            yield from not_null_where(condition.left, holds=holds)
            yield from not_null_where(condition.right, holds=holds)
        case core.Binary(operator="==" | "!=") if (condition.operator == "!=") == holds:
            for operand, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if is_null(other):
                    yield operand


def symbols_not_null(condition: core.Expr, *, holds: bool) -> frozenset[core.Symbol]:
    """Return the symbols that are not null where `condition` holds (or does not)."""
    return frozenset([e.symbol for e in not_null_where(condition, holds=holds) if isinstance(e, core.Ref)])
