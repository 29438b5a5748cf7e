"""Known values: checked access to them, size limits for results, and results of operators.

Implementations of functions share the access and the limits. A value is returned as the Python type that represents it;
`BadArgumentError` names its argument. The checker has seen the types before, so these errors are about values: a fraction
where an integer is needed, a null inside a list.

Functions whose results can be much larger than their arguments check the size before they make them: afterwards the
memory is exhausted.

Every phase that computes results of operators does it here (language.md, Types of expressions). Numbers are doubles: whole
results are ints, others the `Decimal` with the shortest digits that mean the same double.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

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


MOST_TEXT: Final = 20_000_000
"""Maximum number of characters in a text of a function or a template: repeated use of its own result doubles it each time.
"""

MOST_PARTS: Final = 1_000_000
"""Maximum number of parts of a value, including parts of parts."""


class TooLargeError(Exception):
    """A function would make a value larger than any deployment can need; the message states the limit."""


def need_text(characters: int) -> None:
    """Check that a text of this length may be made.  Raises `TooLargeError`."""
    if characters > MOST_TEXT:
        raise TooLargeError(f"a text of more than {MOST_TEXT:,} characters is too large")


def need_parts(parts: int) -> None:
    """Check that a value of this many parts may be made.  Raises `TooLargeError`."""
    if parts > MOST_PARTS:
        raise TooLargeError(f"a value of more than {MOST_PARTS:,} parts is too large")


class Pieces:
    """The pieces of a text under construction, counted on arrival."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0

    def append(self, piece: str) -> None:
        """Append a piece.  Raises `TooLargeError`."""
        self._size += len(piece)
        need_text(self._size)
        self._pieces.append(piece)

    def text(self) -> str:
        """Return the text of all pieces."""
        return "".join(self._pieces)


# -- operators --------------------------------------------------------------------------------------------------------------

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
