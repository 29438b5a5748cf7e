"""Constant numbers: Go computes them exactly at compile time, PCL with doubles.

This module writes numbers in Go, and evaluates constant expressions as Go and as PCL would.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from msgspec import Struct

from pclgen.targets.go import tree as go

if TYPE_CHECKING:
    from fractions import Fraction

_INT64 = 1 << 63


class Constant(Struct, frozen=True):
    """The value of a constant expression: exact, as in Go, and as a double."""

    exact: Fraction
    double: float


def is_int64(value: int | Fraction) -> bool:
    """Return whether a number is in the range of a Go int (64 bits)."""
    return -_INT64 <= value < _INT64


def number_text(value: int | Decimal) -> str:
    """Return a number in Go syntax; integers beyond 64 bits become floating point."""
    if isinstance(value, int):
        return str(value) if is_int64(value) else f"{Decimal(value):E}".lower()
    text = format(value, "f") if -20 < value.adjusted() < 20 else f"{value:E}".lower()
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text


def fractional(number: go.Number) -> go.Number:
    """Return the number as a literal of type float64."""
    return number if "." in number.text or "e" in number.text else go.Number(text=f"{number.text}.0")


def constant_value(e: go.Expr) -> Constant | None:
    """Return the value of a number, of its `float64` conversion, or of `max` or `min` of constants; None otherwise."""
    match e:
        case go.Number():
            from fractions import Fraction

            try:
                exact = Fraction(e.text)
            except ValueError:
                return None
            return Constant(exact, float(e.text))
        case go.Call(function=go.Builtin(name="float64"), arguments=(go.Number() as operand,)):
            return constant_value(operand)
        case go.Call(function=go.Builtin(name="max" | "min" as name)):
            constants = [c for c in map(constant_value, e.arguments) if c is not None]
            if len(constants) != len(e.arguments):
                return None
            return (max if name == "max" else min)(constants, key=lambda c: c.exact)
        case _:
            return None


def negated(operand: Constant) -> Constant:
    """`-operand`."""
    return Constant(-operand.exact, -operand.double)


def computed(left: Constant, operator: str, right: Constant) -> Constant | None:
    """Return `left operator right`; None if the result is not a constant."""
    match operator:
        case "+":
            return Constant(left.exact + right.exact, left.double + right.double)
        case "-":
            return Constant(left.exact - right.exact, left.double - right.double)
        case "*":
            return Constant(left.exact * right.exact, left.double * right.double)
        case "/" if right.exact != 0:
            return Constant(left.exact / right.exact, left.double / right.double)
        case _:
            return None
