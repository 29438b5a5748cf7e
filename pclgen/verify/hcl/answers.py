"""Results of evaluations of pure values, in the types of JSON."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from pclgen.trace.model import PropertyValue, Secret


class Value(Struct, frozen=True):
    """A value, in the types of JSON."""

    json: object


class Outcome(Struct, frozen=True):
    """A result other than a value."""

    name: str


FAILS: Final = Outcome("fails")
REFUSED: Final = Outcome("refused")
"""`check` reports an error."""


class Answer(Struct, frozen=True):
    """The result of one evaluation, and the message of a failure."""

    result: Value | Outcome
    message: str = ""

    def __str__(self) -> str:
        shown = repr(self.result.json) if isinstance(self.result, Value) else self.result.name
        return f"{shown}  ({self.message})" if self.message else shown

    def member(self, name: str) -> Answer:
        """Return the answer for one member of an object; a failure is the answer for every member."""
        if not isinstance(self.result, Value):
            return self
        assert isinstance(self.result.json, Mapping)
        return Answer(Value(self.result.json.get(name)))


_LONG_NUMBER: Final = re.compile(r"([0-9]{15})([0-9]{2,})")


def plain(value: PropertyValue) -> object:
    """Return a recorded value in the types of JSON, without marks of secrets."""
    match value:
        case Secret():
            return plain(value.value)
        case tuple():
            return [plain(element) for element in value]
        case Mapping():
            return {key: plain(member) for key, member in value.items()}
        case _:
            return value


def same(left: object, right: object) -> bool:
    """Return whether two values are equal.

    Numbers, also those in texts, are compared as doubles. A null member equals a missing member, because SDKs omit null
    members.
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-12)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return all(same(left.get(key), right.get(key)) for key in {*left, *right})
    if isinstance(left, str) and isinstance(right, str):
        return left == right or _as_doubles(left) == _as_doubles(right)
    return left == right


def _as_doubles(text: str) -> str:
    """Return `text` with zeros for the digits of numbers beyond the precision of a double."""
    return _LONG_NUMBER.sub(lambda number: number[1] + "0" * len(number[2]), text)
