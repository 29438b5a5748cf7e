"""Records where the text of generated files comes from, for source maps.

A printer puts marks around the text of a node. Marks are control characters that no program and no template contains. They
have no width (`widths`), so the layout stays the same. `Recorder.split` divides the finished file at the marks. Without a
recorder, printers add no marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Final, TypeAlias, TypeGuard, assert_never, get_args

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.plan.model import Declare, Defer, Resolve, Statement
from pclgen.source.text import SourceFile, Span
from pclgen.sourcemaps import Kind, Origin, SourceMap, SourceMapping

_CLOSE: Final = "\x0f"
_DIGITS: Final = str.maketrans("01234567", "\x01\x02\x03\x04\x05\x06\x07\x08")
_MARK: Final = re.compile("(\x0f|\x0e[\x01-\x08]+)")
_MARK_CHARACTERS: Final = bytes((*range(1, 9), 0x0E, 0x0F))
_CHUNK: Final = 512
_OPENING: Final[list[str]] = []
"""The opening marks by number; all recorders share them."""
_NUMBER: Final[dict[str, int]] = {}
"""The numbers of opening marks."""

_KINDS: Final[Mapping[type, Kind]] = {
    prog.ConfigVariable: "configuration",
    prog.Local: "local",
    prog.Resource: "resource",
    prog.ComponentUse: "component",
    prog.Hook: "hook",
    prog.OutputVariable: "output",
    prog.PulumiSettings: "settings",
}


Attribute: TypeAlias = prog.Input | core.Option | prog.OutputVariable | core.ObjectItem
"""A part of a node: an input, an option, the value of an output, a member of an object."""


def origin_of(statement: Statement) -> Origin:
    """Return the node of a statement of the plan."""
    match statement:
        case Declare():
            return node_origin(statement.node)
        case Defer() | Resolve():
            return Origin("deferred", statement.symbol.name, statement.symbol.span)
    assert_never(statement)


def node_origin(node: prog.Node) -> Origin:
    """Return the origin of the code of `node`."""
    match node:
        case prog.PulumiSettings():
            name = ""
        case prog.Local() | prog.Hook():
            name = node.symbol.name
        case _:
            name = node.logical_name
    return Origin(_KINDS[type(node)], name, node.span)


def attribute_origin(part: Attribute) -> Origin:
    """Return the origin of the code of a part of a node."""
    match part:
        case core.ObjectItem():
            return Origin("member", member_name(part), part.span)
        case prog.Input():
            return Origin("input", part.name, part.span)
        case core.Option():
            return Origin("option", part.name, part.span)
        case prog.OutputVariable():
            return Origin("value", part.logical_name, part.value.span)
    assert_never(part)


def member_name(item: core.ObjectItem) -> str:
    """Return the name of a member: its key, or the source text of a computed key."""
    key = item.key
    return str(key.value) if isinstance(key, core.Literal) else key.span.text


def member_of(item: core.ObjectItem) -> core.ObjectItem | None:
    """Return `item` if the program contains it; an item that pclgen adds has the span of its key."""
    return None if item.span is item.key.span else item


class BindingLine(Struct, frozen=True):
    """A line that only binds names for other lines: an import, or the object that reads configuration.

    With `are_sources`, other lines use members of the names: `aws.ec2`, `config.get`.
    """

    names: tuple[str, ...]
    are_sources: bool = True


class Section(Struct, frozen=True):
    """A heading with its members below."""


Mark: TypeAlias = Origin | Attribute | BindingLine | Section
"""The origin of a part of a file."""


class Place(Struct, frozen=True):
    """The range of a file from offset `start` to `end`, with its origin."""

    start: int
    end: int
    origin: BindingLine | Section


class MarkedText(Struct, frozen=True):
    """A text without its marks, as the `parts` between the marks in order.

    Place number `i` spans the parts from `first[i]` up to but excluding `behind[i]`; its origin is `marks[i]`. Places are
    sorted by start, outer places first.
    """

    parts: Sequence[str]
    first: Sequence[int]
    behind: Sequence[int]
    marks: Sequence[Mark]


class Recorder:
    """Collects the source maps of the files of one language."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []
        self.maps: dict[PurePosixPath, SourceMap] = {}
        self.frames: dict[PurePosixPath, list[Place]] = {}
        """The bindings and sections of files."""
        self.lost: set[PurePosixPath] = set()
        """Files whose formatter changed more than the layout."""

    def marks(self, origin: Mark) -> tuple[str, str]:
        """Return the marks before and after the text of `origin`."""
        number = len(self._marks)
        self._marks.append(origin)
        if number == len(_OPENING):
            more = ["\x0e" + f"{at:o}".translate(_DIGITS) for at in range(number, number + _CHUNK)]
            _OPENING.extend(more)
            _NUMBER.update(zip(more, range(number, number + _CHUNK), strict=True))
        return _OPENING[number], _CLOSE

    def around(self, text: str, *origins: Mark) -> str:
        """Return `text` with marks of all `origins`, the first innermost."""
        for origin in origins:
            before, behind = self.marks(origin)
            text = before + text + behind
        return text

    def split(self, text: str) -> MarkedText:
        """Divide `text` at its marks."""
        pieces = _MARK.split(text)
        first: list[int] = []
        behind: list[int] = []
        marks: list[Mark] = []
        opened: list[int] = []
        for part, mark in enumerate(pieces[1::2], 1):
            if mark != _CLOSE:
                opened.append(len(first))
                first.append(part)
                behind.append(part)
                marks.append(self._marks[_NUMBER[mark]])
            elif opened:
                behind[opened.pop()] = part
        return MarkedText(pieces[::2], first, behind, marks)

    def keep(self, path: PurePosixPath, text: str, places: Iterable[tuple[Mark, int, int]]) -> str:
        """Store the source map of the finished file `path` and return the file's text.

        Each item of `places` is an origin with its start and end, in the order of a `MarkedText`.
        """
        file = SourceFile(path.as_posix(), text)
        mappings: list[SourceMapping] = []
        frames: list[Place] = []
        latest: dict[int, int] = {}  # the last mapping of each node
        for mark, start, end in places:
            if start >= end:
                continue
            if is_attribute(mark):
                mappings.append(SourceMapping(Span(file, start, end), attribute_origin(mark)))
            elif isinstance(mark, Origin):
                at = latest.get(id(mark), -1)
                if at >= 0 and text[mappings[at].generated.end : start].isspace():
                    mappings[at] = SourceMapping(Span(file, mappings[at].generated.start, end), mark)
                    continue
                latest[id(mark)] = len(mappings)
                mappings.append(SourceMapping(Span(file, start, end), mark))
            elif isinstance(mark, BindingLine | Section):
                frames.append(Place(start, end, mark))
        self.frames[path] = frames
        if mappings:  # files of helpers have none
            self.maps[path] = SourceMap(file, tuple(mappings))
        return text

    def finish(self, path: PurePosixPath, text: str) -> str:
        """Remove the marks from the file `path`, store its source map, and return the text without marks."""
        marked = self.split(text)
        offsets = [0, *accumulate(map(len, marked.parts))]
        starts, ends = map(offsets.__getitem__, marked.first), map(offsets.__getitem__, marked.behind)
        return self.keep(path, "".join(marked.parts), zip(marked.marks, starts, ends, strict=True))


def printed_length(text: str) -> int:
    """Return the number of characters of `text` without marks."""
    return len(without_marks(text))


def without_marks(text: str) -> str:
    """Return `text` without marks."""
    return text if text.isprintable() else text.encode().translate(None, _MARK_CHARACTERS).decode()


_ATTRIBUTES: Final = frozenset(get_args(Attribute))


def is_attribute(mark: Mark) -> TypeGuard[Attribute]:
    """Return whether `mark` is a part of a node, which does not have lines of its own."""
    return type(mark) in _ATTRIBUTES
