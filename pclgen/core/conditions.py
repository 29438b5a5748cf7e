"""Conditions as values."""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.core.expr import Binary, Conditional, Expr, Literal, Unary

_OPPOSITES = {"==": "!=", "!=": "=="}


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
    """Return what holds when `condition` does not; an equality is turned round."""
    if isinstance(condition, Binary) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    if isinstance(condition, Unary) and condition.operator == "!":
        return condition.operand
    return Unary(operator="!", operand=condition, type=condition.type, span=condition.span)
