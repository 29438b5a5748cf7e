"""How the tables of messages are written, and how they are read.

Comes in: the texts in `tables`.  Goes out: `Message`, `Enumeration` and `Method` values.

A message is one line for each field: its number, its name and its type.  A type is a scalar (`string`, `bool`, `int32`,
`int64`, `double`, `bytes`), the name of a message or enumeration, `repeated T`, `optional T` (whether it was given can be
told) or `map<string, T>`; `T of X` is a member of the group `X`, of which one at most is given.  A name is looked up in the
message, then in those around it, then in its package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pclgen.records import dataclass

_FIELD = re.compile(
    r"(?P<number>\d+) (?P<name>\w+) (?P<label>repeated |optional )?"
    r"(?:map<string, (?P<value>[\w.]+)>|(?P<type>[\w.]+))(?: of (?P<group>\w+))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a message.  `type` is as written; for a map it is that of the values, and the keys are strings."""

    number: int
    name: str
    type: str
    repeated: bool
    optional: bool
    mapped: bool
    group: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message; `name` is the full one."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enumeration:
    """An enumeration; `name` is the full one, `values` are names and numbers in order."""

    name: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method that takes one message and answers one; `path` is `/service/method`, the messages are full names."""

    path: str
    request: str
    response: str


def messages(table: Mapping[str, str]) -> Iterator[Message]:
    """The messages of a table, in its order."""
    for name, text in table.items():
        yield Message(name=name, fields=tuple(_field(line) for line in _lines(text)))


def enumerations(table: Mapping[str, str]) -> Iterator[Enumeration]:
    """The enumerations of a table: a line is a number and a name."""
    for name, text in table.items():
        rows = [line.split() for line in _lines(text)]
        yield Enumeration(name=name, values=tuple((word, int(number)) for number, word in rows))


def methods(table: Mapping[str, str]) -> Iterator[Method]:
    """The methods of a table of services: a line is the method, what it takes and what it answers."""
    for service, text in table.items():
        package = service.rpartition(".")[0]
        for line in _lines(text):
            name, request, response = line.split()
            yield Method(path=f"/{service}/{name}", request=_full(request, package), response=_full(response, package))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _field(line: str) -> Field:
    match = _FIELD.fullmatch(line)
    assert match is not None, line  # the tables are ours
    return Field(
        number=int(match["number"]),
        name=match["name"],
        type=match["value"] or match["type"],
        repeated=match["label"] == "repeated ",
        optional=match["label"] == "optional ",
        mapped=match["value"] is not None,
        group=match["group"],
    )


def _full(name: str, package: str) -> str:
    return name if "." in name else f"{package}.{name}"
