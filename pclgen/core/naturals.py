"""Numbers that are never negative, as far as a look at the program tells."""

from __future__ import annotations

from collections.abc import Container
from decimal import Decimal

from pclgen.core.expr import Binary, Call, Expr, Literal, Ref, Symbol


def is_natural(expr: Expr, known: Container[Symbol]) -> bool:
    """Return whether a number is surely not negative; `known` are symbols of which that is known, as the positions in a
    list."""
    match expr:
        case Literal(value=int() | Decimal() as value):
            return value >= 0
        case Ref():
            return expr.symbol in known
        case Call():
            return expr.function.name == "length"
        case Binary(operator="+" | "*" | "%"):
            return is_natural(expr.left, known) and is_natural(expr.right, known)
        case _:
            return False
