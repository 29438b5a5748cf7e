"""Source files, positions in them, and the differences of two texts.

A `Span` is two offsets into the text of a `SourceFile`; lines and columns (`Position`) are computed only on request, so
the hot paths carry two integers.

Offsets count Unicode code points of the decoded text (a leading byte-order mark is not part of it).  Lines and columns
are 1-based; a column counts code points, a tab is one column.

`difference` gives a unified diff that tools can apply.  A missing file is None.  There, a line ends only at `\\n`, as for
these tools.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

MORE_MARKS: Final = re.compile(r"#+(?:\s|$)|/+$")
"""The beginning of a comment line with several marks, behind the first mark."""
LINE_END: Final = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Every line end of any language that pclgen reads or writes: text without a match is one line in all of them."""

CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufeff]")
"""Characters that no text may hold unescaped: controls that are neither tabs nor line ends, and byte-order marks."""


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`, split at every line end of any language, so that none of them holds another."""
    lines = LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def one_line(text: str) -> str:
    """Return `text` as one line, with control characters escaped (`\\x1b`)."""
    return _UNSAFE.sub(_spelled, text)


_UNSAFE: Final = re.compile(f"{LINE_END.pattern}|{CONTROL.pattern}|[\ud800-\udfff]")


def _spelled(match: re.Match[str]) -> str:
    return "".join(f"\\x{ord(c):02x}" if ord(c) < 0x100 else f"\\u{ord(c):04x}" for c in match[0])


class Position(Struct, frozen=True):
    """A position in a file: `line` and `column` start at 1, `offset` at 0."""

    line: int
    column: int
    offset: int


def line_starts(text: str) -> tuple[int, ...]:
    """Return the offsets at which the lines of a text start; lines end with a line feed."""
    return (0, *accumulate(map((1).__add__, map(len, text.split("\n")[:-1]))))


class SourceFile(Struct, frozen=True, eq=False):
    """One file of PCL (or the text of a type label).

    `name` is printed in diagnostics: the path relative to the working directory, or `<stdin>`.  Identity is equality: two
    files with the same text are two files.
    """

    name: str
    text: str
    _line_starts: tuple[int, ...] = ()

    @property
    def _starts(self) -> tuple[int, ...]:
        """The offsets at which lines start, computed on first use: most files need none, and an edit makes a new file."""
        if not self._line_starts:
            force_setattr(self, "_line_starts", line_starts(self.text))
        return self._line_starts

    def position(self, offset: int) -> Position:
        """The line and column of `offset` (clamped to the text)."""
        offset = max(0, min(offset, len(self.text)))
        starts = self._starts
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1, offset)

    def line_span(self, line: int) -> Span:
        """Return the span of 1-based `line`, without its line ending."""
        starts = self._starts
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return Span(self, start, end)

    def span(self, start: int, end: int) -> Span:
        """The half-open span `start:end` of this file."""
        return Span(self, start, end)


class Span(Struct, frozen=True, gc=False):
    """Half-open range `start:end` of offsets in `file`; `start == end` marks a point between two characters."""

    file: SourceFile
    start: int
    end: int

    @property
    def text(self) -> str:
        """The source text that the span covers."""
        return self.file.text[self.start : self.end]

    @property
    def start_position(self) -> Position:
        """The start of the span."""
        return self.file.position(self.start)

    @property
    def end_position(self) -> Position:
        """The end of the span (exclusive)."""
        return self.file.position(self.end)

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other` (same file)."""
        return Span(self.file, self.start, other.end)

    def head(self) -> Span:
        """The empty span at the start of this one."""
        return Span(self.file, self.start, self.start)

    def tail(self) -> Span:
        """The empty span at the end of this one."""
        return Span(self.file, self.end, self.end)

    def __str__(self) -> str:
        at = self.start_position
        return f"{self.file.name}:{at.line}:{at.column}"


# -- differences ------------------------------------------------------------------------------------------------------------

def difference(before: str | None, after: str | None, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of the diff, without their ends; `names` are those of the files before and after."""
    import difflib

    old = "/dev/null" if before is None else one_line(names[0])
    new = "/dev/null" if after is None else one_line(names[1])
    for line in difflib.unified_diff(_lines(before or ""), _lines(after or ""), old, new):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])
