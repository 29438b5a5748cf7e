"""The arguments of a function of `std`, read by name and type, and helpers for its values.

Property values become texts, numbers, lists or maps; other values raise `StdFailureError`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.stdlib.values import Pieces
from pclgen.trace.model import Output, Properties, PropertyValue, Secret

_LARGEST_WHOLE: Final = 2**53


class StdFailureError(Exception):
    """A function cannot compute a result; the text is the reason."""


MOST_READ: Final = 500_000_000
"""Maximum number of bytes that patterns read in one run; for a large pattern, a byte counts once for each instruction."""


class Work:
    """The remaining budget of the functions of one run."""

    def __init__(self) -> None:
        self._bytes_left = MOST_READ

    def spend(self, count: int) -> None:
        """Subtract bytes to read from the budget. Raises `StdFailureError` if it is exhausted."""
        self._bytes_left -= count
        if self._bytes_left < 0:
            raise StdFailureError("patterns have too many matches in texts of this length, or are too large for them")


class Arguments(Struct, frozen=True):
    """The arguments of one call, without enclosing secrets and outputs, and its budget."""

    values: Properties
    work: Work

    def any(self, name: str) -> PropertyValue:
        """Return a value of any type; None if it is missing."""
        return self.values.get(name)

    def text(self, name: str) -> str:
        """Return a text."""
        return as_text(self.values.get(name), name)

    def number(self, name: str) -> int | float:
        """Return a number."""
        return as_number(self.values.get(name), name)

    def whole(self, name: str, default: int | None = None) -> int:
        """Return a whole number, or `default` if it is missing."""
        value = self.values.get(name)
        if value is None and default is not None:
            return default
        number = as_number(value, name)
        if number != int(number):
            raise StdFailureError(f"{name} must be a whole number, not {number}")
        return int(number)

    def list(self, name: str) -> Sequence[PropertyValue]:
        """Return a list."""
        return as_list(self.values.get(name), name)

    def texts(self, name: str) -> Sequence[str]:
        """Return a list of texts."""
        return [as_text(element, f"{name}[{i}]") for i, element in enumerate(self.list(name))]

    def numbers(self, name: str) -> Sequence[int | float]:
        """Return a list of numbers."""
        return [as_number(element, f"{name}[{i}]") for i, element in enumerate(self.list(name))]

    def lists(self, name: str) -> Sequence[Sequence[PropertyValue]]:
        """Return a list of lists."""
        return [as_list(element, f"{name}[{i}]") for i, element in enumerate(self.list(name))]

    def map(self, name: str) -> Properties:
        """Return a map."""
        return as_map(self.values.get(name), name)


StdFunction: TypeAlias = Callable[[Arguments], PropertyValue]
"""Computes the property `result` of a function's answer. Raises `StdFailureError` for arguments without a result, and
`TooLargeError` before it creates a result that is too large."""


def bare(value: PropertyValue) -> PropertyValue:
    """`value` without marks of secrets and outputs."""
    match value:
        case Secret() | Output():
            return bare(value.value)
        case tuple():
            return tuple(bare(element) for element in value)
        case Mapping():
            return {name: bare(member) for name, member in value.items()}
        case _:
            return value


def as_text(value: PropertyValue, name: str) -> str:
    """Return `value`, which must be a text."""
    if isinstance(value, str):
        return value
    raise StdFailureError(f"{name} must be a text, not {kind_of(value)}")


def as_number(value: PropertyValue, name: str) -> int | float:
    """Return `value`, which must be a number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise StdFailureError(f"{name} must be a number, not {kind_of(value)}")


def as_list(value: PropertyValue, name: str) -> Sequence[PropertyValue]:
    """Return `value`, which must be a list."""
    if isinstance(value, tuple):
        return value
    raise StdFailureError(f"{name} must be a list, not {kind_of(value)}")


def as_map(value: PropertyValue, name: str) -> Properties:
    """Return `value`, which must be a map."""
    if isinstance(value, Mapping):
        return value
    raise StdFailureError(f"{name} must be a map, not {kind_of(value)}")


def kind_of(value: PropertyValue) -> str:
    """Return the type of a value in words, for a message."""
    match value:
        case None:
            return "null"
        case bool():
            return "a bool"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case tuple():
            return "a list"
        case Mapping():
            return "a map"
        case _:
            return f"a value of the kind {type(value).__name__}"


def shortest(number: int | float) -> int | float:
    """Return a number in wire form: a whole number of at most 53 bits is an int."""
    if isinstance(number, float) and number.is_integer() and abs(number) <= _LARGEST_WHOLE:
        return int(number)
    return number


def number_text(number: int | float) -> str:
    """A number in decimal notation without an exponent: `1000000`, `0.5`."""
    if isinstance(number, int):
        return str(number)
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def scalar_text(value: PropertyValue, name: str) -> str:
    """Return the text of a text, number or bool."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case _:
            raise StdFailureError(f"{name} must be a text, a number or a bool, not {kind_of(value)}")


def json_text(value: PropertyValue) -> str:
    """A value as JSON: compact, keys sorted, `<`, `>` and `&` escaped as Terraform does.  Raises `TooLargeError`."""
    parts = Pieces()
    _write_json(value, parts)
    return parts.text()


def _write_json(value: PropertyValue, parts: Pieces) -> None:
    match value:
        case None:
            parts.append("null")
        case bool():
            parts.append("true" if value else "false")
        case int() | float():
            small_or_large = value != 0 and not 1e-6 <= abs(value) < 1e21
            parts.append(repr(float(value)).replace("e-0", "e-") if small_or_large else number_text(value))
        case str():
            parts.append(_quoted(value))
        case tuple():
            _write_joined("[]", ((None, element) for element in value), parts)
        case Mapping():
            _write_joined("{}", sorted(value.items()), parts)
        case _:
            raise StdFailureError(f"JSON has no form for {kind_of(value)}")


def _write_joined(ends: str, members: Iterable[tuple[str | None, PropertyValue]], parts: Pieces) -> None:
    parts.append(ends[0])
    for i, (key, value) in enumerate(members):
        if i > 0:
            parts.append(",")
        if key is not None:
            parts.append(_quoted(key) + ":")
        _write_json(value, parts)
    parts.append(ends[1])


_ESCAPES: Final = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).translate(_ESCAPES)
