"""Shared parts of implementations: checked access to known values.

A value is returned as the Python type that represents it; `BadArgumentError` names its argument. The checker has seen the
types before, so these errors are about values: a fraction where an integer is needed, a null inside a list.
"""

from __future__ import annotations

from decimal import Decimal

from pclgen.stdlib.model import BadArgumentError, Value

_INT_LIMIT = 2**31  # the ints of functions have 32 bits (language.md, Kinds of types)


def text(value: Value, index: int) -> str:
    """A string."""
    if not isinstance(value, str):
        raise BadArgumentError(index, f"expected a string, found {describe(value)}")
    return value


def number(value: Value, index: int) -> int | Decimal:
    """A number; integral decimals stay decimals."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise BadArgumentError(index, f"expected a number, found {describe(value)}")
    return value


def integer(value: Value, index: int) -> int:
    """A whole number of 32 bits."""
    result = number(value, index)
    if result != int(result):
        raise BadArgumentError(index, f"expected a whole number, found {result}")
    if not -_INT_LIMIT <= result < _INT_LIMIT:
        raise BadArgumentError(index, f"expected a number of at most 32 bits, found {result}")
    return int(result)


def items(value: Value, index: int) -> list[Value]:
    """A list; its elements are not checked."""
    if not isinstance(value, list):
        raise BadArgumentError(index, f"expected a list, found {describe(value)}")
    return value


def describe(value: Value) -> str:
    """A value's kind, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a bool"
    if isinstance(value, int | Decimal):
        return "a number"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "an asset"
