"""The judge: a Go program that evaluates PCL with HashiCorp's HCL and cty. Its sources lie in `go/`.

An `Answer` is the result of one evaluation, by the judge or by pclgen, in the types of JSON; `same` compares two of them.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from pclgen.trace.model import PropertyValue, Secret

SOURCES: Final = Path(__file__).with_name("go")
_LONG_NUMBER: Final = re.compile(r"([0-9]{15})([0-9]{2,})")


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


class Judge(Struct, frozen=True):
    """The built program."""

    binary: Path

    def ask(self, texts: Sequence[str], *flags: str) -> list[Answer]:
        """Return HCL's answers to programs of one output each. Raises `OSError` and `subprocess.CalledProcessError`.

        `-rows`: the differences in docs/language.md (Differences from HCL) apply. The other flags choose between readings
        that they allow; `go/main.go` describes them.
        """
        command: list[str | Path] = [self.binary, *flags]
        ended = subprocess.run(command, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
        return [_answer(result) for result in json.loads(ended.stdout)]


def _answer(result: dict[str, object]) -> Answer:
    if "failure" in result:
        return Answer(FAILS, str(result["failure"]))
    values = result["values"]
    assert isinstance(values, dict)
    (value,) = values.values()
    return Answer(Value(value))


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
