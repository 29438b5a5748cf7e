"""Source maps: from parts of a generated file to parts of the program.

The printers of the targets record the mappings while they print (`targets.origins`). `SourceMap.to_json` writes a map in the
format Source Map, revision 3 (ECMA-426).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pclgen.source.text import SourceFile, Span

Kind: TypeAlias = Literal[
    "configuration", "local", "resource", "component", "hook", "output", "settings", "deferred", "input", "option", "value",
    "member",
]
"""The kinds of origins.

They are the nodes of the language, `deferred` for an input that a component gets after it was created, and parts of nodes:
`input` and `option` for the attributes of resources and components, `value` for the value of an output, and `member` for a
member of an object in any of these.
"""


class Origin(Struct, frozen=True, gc=False):
    """A node of a program or a part of one: its kind, its name and its span in the source file.

    The name is logical, empty for `settings`; that of a `value` is the output's.
    """

    kind: Kind
    name: str
    span: Span


class SourceMapping(Struct, frozen=True, gc=False):
    """The span `generated` of a generated file comes from `origin`. Comments of a node are part of it."""

    generated: Span
    origin: Origin


class SourceMap(Struct, frozen=True):
    """The mappings of a generated `file`, whose name is its path in the output folder.

    They are sorted by their start; of two that overlap, the first contains the second. A node may have several mappings: an
    input of a component, for example, is declared in one place and read in another. Imports, helper functions and other
    text that belongs to no node have none.
    """

    file: SourceFile
    mappings: tuple[SourceMapping, ...]

    def at(self, offset: int) -> SourceMapping | None:
        """The innermost mapping at `offset` of the generated file."""
        inner_first = reversed(self.mappings)
        return next((m for m in inner_first if m.generated.start <= offset < m.generated.end), None)

    def on_line(self, line: int) -> SourceMapping | None:
        """The innermost mapping of the first text on a line (from 1) of the generated file."""
        if not 1 <= line <= self.file.text.count("\n") + 1:
            return None
        span = self.file.line_span(line)
        return self.at(span.end - len(span.text.lstrip()))

    def of(self, file: str, offset: int) -> tuple[SourceMapping, ...]:
        """The mappings of the node, and of its part, at `offset` of the source file named `file`."""
        return tuple([mapping for mapping in self.mappings if _holds(mapping.origin.span, file, offset)])

    def to_json(self, *, folder: PurePath | None = None, with_sources: bool = False) -> str:
        """The map in the format Source Map v3, with a newline at the end.

        With `folder`, the output folder, the paths of the sources are relative to the map's own folder; otherwise they are
        the names that diagnostics show. With `with_sources` the map contains the text of the sources.
        """
        sources: dict[SourceFile, int] = {}
        names: dict[str, int] = {}
        for mapping in self.mappings:
            sources.setdefault(mapping.origin.span.file, len(sources))
            names.setdefault(mapping.origin.name, len(names))
        path = PurePath(self.file.name)
        home = folder / path.parent if folder is not None else None
        content = {"sourcesContent": [source.text for source in sources]} if with_sources else {}
        document: dict[str, object] = {
            "version": 3,
            "file": path.name,
            "sources": [_relative(source.name, home) for source in sources],
            **content,
            "names": list(names),
            "mappings": _encoded(self, sources, names),
        }
        return json.dumps(document, ensure_ascii=False) + "\n"


def _holds(span: Span, file: str, offset: int) -> bool:
    return span.file.name == file and span.start <= offset < span.end


def _relative(name: str, home: PurePath | None) -> str:
    if home is None or name.startswith("<"):
        return name
    return PurePath(os.path.relpath(name, home)).as_posix()


def _encoded(source_map: SourceMap, sources: dict[SourceFile, int], names: dict[str, int]) -> str:
    """Return the segments of all lines; each number is the difference to the previous number."""
    lines: list[list[str]] = [[]]
    column = source = line = place = name = 0
    for row, start, mapping in _segments(source_map):
        while len(lines) <= row:
            lines.append([])
            column = 0
        fields = [start - column]
        column = start
        if mapping is not None:
            span = mapping.origin.span
            row_there, column_there = _place(span.file, span.start)
            now = sources[span.file], row_there, column_there, names[mapping.origin.name]
            fields += [a - b for a, b in zip(now, (source, line, place, name), strict=True)]
            source, line, place, name = now
        lines[-1].append("".join(map(_vlq, fields)))
    return ";".join(map(",".join, lines))


def _segments(source_map: SourceMap) -> Iterator[tuple[int, int, SourceMapping | None]]:
    """Yield line, column (in UTF-16 units, both from 0) and mapping of each segment.

    Readers use one line only, so each line of a mapping has a separate segment.
    """
    text = source_map.file.text
    flat = list(_flat(source_map.mappings))
    starts = {start for start, _, _ in flat}
    for start, end, mapping in flat:
        row, column = _place(source_map.file, start)
        yield row, column, mapping
        line_end = text.find("\n", start, end)
        while line_end != -1 and line_end + 1 < end:
            row += 1
            yield row, 0, mapping
            line_end = text.find("\n", line_end + 1, end)
        if end not in starts and end < len(text):
            yield *_place(source_map.file, end), None


def _flat(mappings: tuple[SourceMapping, ...]) -> Iterator[tuple[int, int, SourceMapping]]:
    """Yield ranges that do not overlap, in order, each with the innermost mapping around it."""
    around: list[SourceMapping] = []
    position = 0
    for mapping in (*mappings, None):
        while around and (mapping is None or around[-1].generated.end <= mapping.generated.start):
            ended = around.pop()
            if position < ended.generated.end:
                yield position, ended.generated.end, ended
                position = ended.generated.end
        if mapping is not None:
            if around and position < mapping.generated.start:
                yield position, mapping.generated.start, around[-1]
            position = mapping.generated.start
            around.append(mapping)


def _place(file: SourceFile, offset: int) -> tuple[int, int]:
    """Return line and column of `offset`, both from 0, the column in UTF-16 units."""
    position = file.position(offset)
    before = file.text[offset - position.column + 1 : offset]
    return position.line - 1, len(before) if before.isascii() else len(before.encode("utf-16-le")) // 2


_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _vlq(number: int) -> str:
    """Return a number in Base64 VLQ: five bits a digit, the lowest bits first; the first bit is the sign."""
    rest = -number << 1 | 1 if number < 0 else number << 1
    digits = ""
    while rest > 31:
        digits += _DIGITS[rest & 31 | 32]
        rest >>= 5
    return digits + _DIGITS[rest]
