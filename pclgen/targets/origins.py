"""Records where the text of generated files comes from, for source maps.

A printer puts marks around the text of a node. They are control characters, which no program and no template contains and
which have no width (`widths`), so the layout stays the same; `Recorder.cut` removes them from the finished file and keeps
their places. Without a recorder nothing is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from pclgen.core import expr, program
from pclgen.plan.model import Declare, Defer, Resolve, Statement
from pclgen.source.text import SourceFile
from pclgen.sourcemaps import Kind, Origin, SourceMap, SourceMapping

_OPEN: Final = "\x0e"
_CLOSE: Final = "\x0f"
_DIGITS: Final = str.maketrans("01234567", "\x01\x02\x03\x04\x05\x06\x07\x08")
_NUMBER: Final = {code: digit for digit, code in _DIGITS.items()}
_MARK: Final = re.compile("([\x0e\x0f][\x01-\x08]*)")

_KINDS: Final[Mapping[type, Kind]] = {
    program.ConfigVariable: "configuration",
    program.Local: "local",
    program.Resource: "resource",
    program.ComponentUse: "component",
    program.Hook: "hook",
    program.OutputVariable: "output",
    program.PulumiSettings: "settings",
}


Attribute: TypeAlias = program.Input | expr.Option | program.OutputVariable
"""A part of a node: an input, an option, the value of an output."""


def origin_of(statement: Statement) -> Origin:
    """Return the node of a statement of the plan."""
    match statement:
        case Declare():
            return node_origin(statement.node)
        case Defer() | Resolve():
            return Origin("deferred", statement.symbol.name, statement.symbol.span)
    assert_never(statement)


def node_origin(node: program.Node) -> Origin:
    """Return the origin of the code of `node`."""
    match node:
        case program.PulumiSettings():
            name = ""
        case program.Local() | program.Hook():
            name = node.symbol.name
        case _:
            name = node.logical_name
    return Origin(_KINDS[type(node)], name, node.span)


def attribute_origin(part: Attribute) -> Origin:
    """Return the origin of the code of a part of a node."""
    match part:
        case program.Input():
            return Origin("input", part.name, part.span)
        case expr.Option():
            return Origin("option", part.name, part.span)
        case program.OutputVariable():
            return Origin("value", part.logical_name, part.value.span)
    assert_never(part)


class BindingLine(Struct, frozen=True):
    """A line that only binds names for other lines: an import, or the object that configuration is read from.

    With `are_sources`, other lines use members of the names: `aws.ec2`, `config.get`.
    """

    names: tuple[str, ...]
    are_sources: bool = True


class Section(Struct, frozen=True):
    """A heading with its members below."""


Mark: TypeAlias = Origin | Attribute | BindingLine | Section
"""What the recorder knows of a part of a file."""


class Place(Struct, frozen=True):
    """The text from offset `start` to `end` of a file, with its origin or kind."""

    start: int
    end: int
    origin: Origin | BindingLine | Section


class Recorder:
    """Collects the source maps of the files of one language."""

    def __init__(self) -> None:
        self._origins: list[Origin | BindingLine | Section] = []
        self.maps: dict[PurePosixPath, SourceMap] = {}
        self.frames: dict[PurePosixPath, list[Place]] = {}
        """The bindings and sections of files."""
        self.lost: set[PurePosixPath] = set()
        """Files whose formatter changed more than the layout."""

    def marks(self, origin: Mark) -> tuple[str, str]:
        """Return the marks before and behind the text of `origin`."""
        self._origins.append(origin if isinstance(origin, Origin | BindingLine | Section) else attribute_origin(origin))
        return _OPEN + f"{len(self._origins) - 1:o}".translate(_DIGITS), _CLOSE

    def around(self, origins: Iterable[Mark], text: str) -> str:
        """`text` with marks of all `origins`, the first one innermost."""
        for origin in origins:
            before, behind = self.marks(origin)
            text = before + text + behind
        return text

    def cut(self, text: str) -> tuple[str, list[Place]]:
        """`text` without marks, and the places that they enclose."""
        parts: list[str] = []
        places: list[Place] = []
        opened: list[tuple[int, Origin | BindingLine | Section]] = []
        length = 0
        for at, part in enumerate(_MARK.split(text)):
            if at % 2 == 0:
                parts.append(part)
                length += len(part)
            elif part[0] == _OPEN:
                opened.append((length, self._origins[int(part[1:].translate(_NUMBER), 8)]))
            elif opened:
                start, origin = opened.pop()
                places.append(Place(start, length, origin))
        return "".join(parts), places

    def keep(self, path: PurePosixPath, text: str, places: Sequence[Place]) -> str:
        """Keep the map of the finished file `path`; returns its text."""
        file = SourceFile(path.as_posix(), text)
        # Of two places that are equal the outer one comes first: it was cut later.
        ordered = [places[at] for at in sorted(range(len(places)), key=lambda at: (places[at].start, -places[at].end, -at))]
        joined: list[Place] = []
        latest: dict[int, int] = {}
        for place in ordered:
            at = latest.get(id(place.origin), -1)
            if at >= 0 and text[joined[at].end : place.start].isspace():
                joined[at] = Place(joined[at].start, place.end, place.origin)
            elif place.start < place.end:
                latest[id(place.origin)] = len(joined)
                joined.append(place)
        mappings = [SourceMapping(file.span(p.start, p.end), p.origin) for p in joined if isinstance(p.origin, Origin)]
        self.frames[path] = [place for place in joined if not isinstance(place.origin, Origin)]
        if mappings:  # files of helpers have none
            self.maps[path] = SourceMap(file, tuple(mappings))
        return text

    def finish(self, path: PurePosixPath, text: str) -> str:
        """Cut the marks out of the file `path` and keep its map; returns its text."""
        return self.keep(path, *self.cut(text))


def printed_length(text: str) -> int:
    """The number of characters of `text` without marks."""
    return len(text) if text.isprintable() else len(_MARK.sub("", text))


def is_attribute(origin: Origin | BindingLine | Section) -> bool:
    """Whether `origin` is a part of a node, which has no lines of its own."""
    return isinstance(origin, Origin) and origin.kind in ("input", "option", "value")
