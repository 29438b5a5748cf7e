"""Results of operators on known values (language.md, Types of expressions), for every phase that computes them.

Numbers are doubles: whole results are ints, others the `Decimal` with the shortest digits that mean the same double.
"""

from __future__ import annotations

import math
from decimal import Decimal

from pclgen.stdlib.model import Value

_SAFE = 2**53


def number_of(value: float) -> int | Decimal:
    """Return a double as a value of PCL."""
    if value.is_integer() and abs(value) <= _SAFE:
        return int(value)
    return Decimal(repr(value))


def same(left: Value, right: Value) -> bool:
    """Return whether two plain values are equal; true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(member, right[key]) for key, member in left.items())
    return left == right


def negated(value: int | Decimal) -> int | Decimal:
    """`-value`."""
    return _result(-float(value), whole=isinstance(value, int))


def arithmetic(operator: str, left: int | Decimal, right: int | Decimal) -> bool | int | Decimal:
    """Compute `+ - * / % < <= > >=` of two numbers.

    Raises `ZeroDivisionError`, and `OverflowError` for a result that no number can represent.
    """
    exact = isinstance(left, int) and isinstance(right, int)
    x, y = float(left), float(right)
    match operator:
        case "+":
            return _result(x + y, whole=exact)
        case "-":
            return _result(x - y, whole=exact)
        case "*":
            return _result(x * y, whole=exact)
        case "<":
            return x < y
        case "<=":
            return x <= y
        case ">":
            return x > y
        case ">=":
            return x >= y
        case _:
            if y == 0:
                raise ZeroDivisionError
            return _result(x / y if operator == "/" else math.fmod(x, y), whole=False)


def _result(value: float, *, whole: bool) -> int | Decimal:
    if not math.isfinite(value):
        raise OverflowError
    if whole and abs(value) > _SAFE:
        return int(value)
    return number_of(value)
