"""Predicates on single expressions: numbers that are never negative, conditions and their consequences."""

from __future__ import annotations

from collections.abc import Container, Iterator
from decimal import Decimal

from msgspec.structs import replace

from pclgen.core.expr import Binary, Call, Conditional, Expr, Literal, Ref, Symbol, Unary

_OPPOSITES = {"==": "!=", "!=": "=="}


def is_natural(expr: Expr, naturals: Container[Symbol]) -> bool:
    """Return whether a number is surely not negative; `naturals` are symbols that never are, such as list positions."""
    match expr:
        case Literal(value=int() | Decimal() as value):
            return value >= 0
        case Ref():
            return expr.symbol in naturals
        case Call():
            return expr.function.name == "length"
        case Binary(operator="+" | "*" | "%"):
            return is_natural(expr.left, naturals) and is_natural(expr.right, naturals)
        case _:
            return False


def is_null(expr: Expr | None) -> bool:
    """Return whether an expression is the literal null."""
    return isinstance(expr, Literal) and expr.value is None


def as_condition(expr: Conditional) -> Expr | None:
    """`c` for `c ? true : false`, and its opposite for `c ? false : true`; None for other conditionals."""
    match expr.then, expr.otherwise:
        case Literal(value=True), Literal(value=False):
            return expr.condition
        case Literal(value=False), Literal(value=True):
            return opposite(expr.condition)
        case _:
            return None


def opposite(condition: Expr) -> Expr:
    """Return the negation of `condition`; an equality becomes an inequality, and vice versa."""
    if isinstance(condition, Binary) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    if isinstance(condition, Unary) and condition.operator == "!":
        return condition.operand
    return Unary(operator="!", operand=condition, type=condition.type, span=condition.span)


def not_null_where(condition: Expr, *, holds: bool) -> Iterator[Expr]:
    """Yield the expressions that `condition` compares with null and proves not null if it holds (or does not)."""
    match condition:
        case Unary(operator="!"):
            yield from not_null_where(condition.operand, holds=not holds)
        case Binary(operator="&&" | "||") if (condition.operator == "&&") == holds:
            yield from not_null_where(condition.left, holds=holds)
            yield from not_null_where(condition.right, holds=holds)
        case Binary(operator="==" | "!=") if (condition.operator == "!=") == holds:
            for operand, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if is_null(other):
                    yield operand
