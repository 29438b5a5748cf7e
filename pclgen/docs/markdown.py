"""Fences and markers of a Markdown text, with exact offsets.

Only the part of Markdown that decides where a fence begins and ends is parsed: quotes, list items, indentation (tab stops at
multiples of four), HTML comments. Edits replace ranges of the text, so that all other bytes are preserved.

Markers stand on separate lines:

    <!--Start PulumiCodeChooser -->          <!--End PulumiCodeChooser -->
    {{% examples %}}, {{% example %}}        {{% /example %}}, {{% /examples %}}
    {{< chooser language "python,go" >}}     {{< /chooser >}}
    {{% choosable language go %}}            {{% /choosable %}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct, field

_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_OPENING: Final = re.compile(r"(`{3,}(?=[^`\r\n]*\Z)|~{3,})[ \t]*(.*?)[ \t]*\Z")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t]|\Z)")
_COMMENT_MARKER: Final = re.compile(r"<!--\s*(Start|End)\s+PulumiCodeChooser\s*-->", re.IGNORECASE)
_SHORTCODE: Final = re.compile(r"\{\{[%<]\s*+(?P<slash>/?+)\s*+(?P<name>[\w-]++)(?P<rest>[^{}]*+)\}\}")
_CHOICE: Final = re.compile(r"\s*+\"?+(?P<kind>[\w-]++)\"?+[\s=]*+\"?+(?P<values>[^\"]*+)\"?+\s*+\Z")
_HIDDEN: Final = re.compile(r"<!--\s*pclgen\s+(?P<what>hidden|fixture)[ \t]*(?:\r\n|\n|\r)")
NAMES: Final = ("examples", "example", "chooser", "choosable")
"""The shortcodes that are markers."""
TAB: Final = 4


class Fence(Struct, frozen=True, kw_only=True):
    """A fenced block of code.

    `start` is the offset of its marks (three or more backticks or tildes), `body` that of the line after them, `closing`
    that of the line of the closing marks, `end` the end of that line, without its line break. `lines` are the ranges of
    its text, without indentation and quote marks. `prefix` begins each further line of its container.
    """

    start: int
    body: int
    closing: int
    end: int
    is_closed: bool
    marks: str
    info: str
    prefix: str
    line_end: str
    lines: tuple[tuple[int, int], ...]

    @property
    def language(self) -> str:
        """The first word after the marks, in lower case."""
        return self.info.split()[0].lower() if self.info.split() else ""


class Marker(Struct, frozen=True, kw_only=True):
    """An opening or closing marker.

    `name` is `code` for comments, otherwise that of the shortcode; `kind` is the subject of a chooser (`language`),
    `values` are its values, and `listed` is their range in the text.
    """

    start: int
    end: int
    name: str
    is_closing: bool = False
    is_empty: bool = False
    kind: str = ""
    values: tuple[str, ...] = ()
    listed: tuple[int, int] = (0, 0)


class Hidden(Struct, frozen=True, kw_only=True):
    """Lines of a snippet hidden from readers: an HTML comment `<!-- pclgen hidden`; or `<!-- pclgen fixture`, for all
    snippets of the text."""

    start: int
    end: int
    lines: tuple[tuple[int, int], ...]
    is_for_all: bool = False


class Prose(Struct, frozen=True, kw_only=True):
    """A line that is neither blank nor part of another block."""

    start: int
    end: int


Block: TypeAlias = Fence | Marker | Hidden | Prose


class _Line(Struct):
    """A partially read line: `at` is the current offset, `column` the current column."""

    start: int
    text: str
    line_end: str
    at: int = 0
    column: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def is_blank(self) -> bool:
        return not self.text[self.at :].strip(" \t")

    def indent(self) -> int:
        """The column of the first character that is not blank."""
        column = self.column
        for sign in self.text[self.at :]:
            if sign == " ":
                column += 1
            elif sign == "\t":
                column += TAB - column % TAB
            else:
                break
        return column

    def skip_to(self, column: int) -> None:
        """Skip blanks up to a column; a tab that crosses it is left."""
        while self.at < len(self.text) and self.text[self.at] in " \t":
            after = self.column + (1 if self.text[self.at] == " " else TAB - self.column % TAB)
            if after > column:
                return
            self.at, self.column = self.at + 1, after

    def skip(self, count: int) -> None:
        """Skip characters that are not tabs."""
        self.at, self.column = self.at + count, self.column + count


class _Open(Struct):
    """A fence that is being read: the number of its containers, its indentation, and its ranges so far."""

    line: _Line
    depth: int
    indent: int
    marks: str
    info: str
    lines: list[tuple[int, int]] = field(default_factory=list)
    after: int = 0
    """The end of its last line, including the line break."""
    last: int = 0
    """The end of its last line, without the line break."""


_DEEPEST: Final = 100
"""Maximum nesting of quotes and list items; each further line is matched with all of them."""
_QUOTE: Final = -1
"""The container value of a quote; list items are represented by the column of their content."""


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of `text` in order."""
    yield from _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._containers: list[int] = []
        self._open: _Open | None = None
        self._is_after_text = False
        self._comment_end = 0

    def read(self) -> Iterator[Block]:
        """Yield all blocks."""
        for line_match in _LINE.finditer(self._text):
            if line_match.end() == line_match.start():
                break
            line = _Line(line_match.start(), line_match[1], line_match[2])
            if line.start < self._comment_end:
                continue
            if self._open is not None:
                if self._goes_on(self._open, line):
                    done = self._take(self._open, line, line_match.end())
                    if done is not None:
                        yield done
                        self._open = None
                    continue
                yield self._finished(self._open, None)
                self._open = None
                line.at = line.column = 0
            yield from self._line(line)
        if self._open is not None:
            yield self._finished(self._open, None)

    def _enter(self, line: _Line, depth: int | None = None) -> int:
        """Enter the open containers; return how many of them contain the line."""
        for number, container in enumerate(self._containers[:depth]):
            if container == _QUOTE:
                if line.indent() - line.column > 3 or not line.text[line.at :].lstrip(" \t").startswith(">"):
                    return number
                self._enter_quote(line)
            elif line.is_blank():
                continue
            elif line.indent() >= container:
                line.skip_to(container)
            else:
                return number
        return len(self._containers) if depth is None else depth

    @staticmethod
    def _enter_quote(line: _Line) -> None:
        line.skip_to(line.indent())
        line.skip(1)
        if line.text[line.at : line.at + 1] == " ":
            line.skip(1)

    # -- fences

    def _goes_on(self, opened: _Open, line: _Line) -> bool:
        return self._enter(line, opened.depth) == opened.depth

    def _take(self, opened: _Open, line: _Line, after: int) -> Fence | None:
        """Add a line to a fence; return the fence if it is the last one."""
        rest = line.text[line.at :].strip(" \t")
        base = line.column
        if len(rest) >= len(opened.marks) and not rest.strip(opened.marks[0]) and line.indent() - base <= 3:
            return self._finished(opened, line)
        line.skip_to(opened.indent)
        opened.lines.append((line.start + line.at, line.end))
        opened.after, opened.last = after, line.end
        return None

    @staticmethod
    def _finished(opened: _Open, closing: _Line | None) -> Fence:
        first = opened.line
        body = min(first.end + len(first.line_end), opened.after) if opened.lines else first.end + len(first.line_end)
        return Fence(
            start=first.start + first.at,
            body=body,
            closing=closing.start if closing is not None else opened.after or body,
            end=closing.end if closing is not None else opened.last or first.end,
            is_closed=closing is not None,
            marks=opened.marks,
            info=opened.info,
            prefix=re.sub(r"[^\s>]", " ", first.text[: first.at]),
            line_end=first.line_end or "\n",
            lines=tuple(opened.lines),
        )

    # -- other blocks

    def _line(self, line: _Line) -> Iterator[Block]:
        matched = self._enter(line)
        if line.is_blank():
            if matched < len(self._containers):
                del self._containers[matched:]
            self._is_after_text = False
            return
        is_start = self._is_start(line)
        if matched < len(self._containers) and (is_start or not self._is_after_text):
            del self._containers[matched:]
        if matched == len(self._containers):
            self._enter_new(line)
        if line.is_blank():
            return
        base = line.column
        if line.indent() - base >= TAB and not self._is_after_text:
            yield Prose(start=line.start + line.at, end=line.end)  # code by indentation
            return
        line.skip_to(line.indent())
        rest = line.text[line.at :]
        opening = _OPENING.match(rest)
        if opening is not None and line.indent() - base < TAB:
            self._open = _Open(line, len(self._containers), line.column, opening[1], opening[2])
            self._is_after_text = False
            return
        yield from self._other(line, rest)

    @staticmethod
    def _is_start(line: _Line) -> bool:
        """Return whether a line begins a new block rather than continuing a paragraph."""
        rest = line.text[line.at :].lstrip(" \t")
        return bool(_OPENING.match(rest) or _ITEM.match(rest) or rest.startswith((">", "#", "<!--", "{{")))

    def _enter_new(self, line: _Line) -> None:
        """Enter quotes and list items that begin on this line."""
        while len(self._containers) < _DEEPEST and not line.is_blank() and line.indent() - line.column < TAB:
            rest = line.text[line.at :].lstrip(" \t")
            if rest.startswith(">"):
                self._enter_quote(line)
                self._containers.append(_QUOTE)
                continue
            item = _ITEM.match(rest)
            if item is None:
                return
            line.skip_to(line.indent())
            line.skip(item.end())
            content = line.indent()
            if line.is_blank() or content - line.column > TAB:
                content = line.column + 1
            self._containers.append(content)
            line.skip_to(content)
            self._is_after_text = False

    def _other(self, line: _Line, rest: str) -> Iterator[Block]:
        markers = _markers(rest, line.start + line.at)
        start = line.start + line.at
        if markers is not None:
            self._is_after_text = False
            yield from markers
            return
        hidden = _HIDDEN.match(self._text, start)
        if hidden is not None:
            end = self._text.find("-->", start)
            end = len(self._text) if end == -1 else end
            self._comment_end = end
            lines = _ranges(self._text, hidden.end(), end)
            yield Hidden(start=start, end=end + 3, lines=lines, is_for_all=hidden["what"] == "fixture")
            return
        if rest.startswith("<!--") and "-->" not in rest:
            end = self._text.find("-->", start)
            self._comment_end = len(self._text) if end == -1 else end
        self._is_after_text = not rest.startswith("#")
        yield Prose(start=start, end=line.end)


def _ranges(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the lines of a part of `text`; the last one only if it is not empty."""
    ranges = [(m.start(1), m.end(1)) for m in _LINE.finditer(text, start, end) if m.end() > m.start()]
    return tuple(ranges if not ranges or text[slice(*ranges[-1])].strip() else ranges[:-1])


def _markers(rest: str, start: int) -> list[Marker] | None:
    """Return the markers on a line; None if it has other content."""
    markers: list[Marker] = []
    at = 0
    while at < len(rest):
        if rest[at] in " \t":
            at += 1
            continue
        comment, code = _COMMENT_MARKER.match(rest, at), _SHORTCODE.match(rest, at)
        if comment is not None:
            is_closing = comment[1].lower() == "end"
            markers.append(Marker(start=start + at, end=start + comment.end(), name="code", is_closing=is_closing))
            at = comment.end()
        elif code is not None and code["name"] in NAMES and code["rest"][-1:] in ("%", ">"):
            markers.append(_shortcode(code, start))
            at = code.end()
        else:
            return None
    return markers


def _shortcode(code: re.Match[str], start: int) -> Marker:
    rest = code["rest"].rstrip(" \t%>")
    is_empty = rest.endswith("/")
    choice = _CHOICE.match(rest.removesuffix("/").rstrip())
    values = choice["values"].rstrip() if choice else ""
    begin = start + code.start("rest") + choice.start("values") if choice else 0
    return Marker(
        start=start + code.start(),
        end=start + code.end(),
        name=code["name"],
        is_closing=bool(code["slash"]),
        is_empty=is_empty,
        kind=choice["kind"] if choice else "",
        values=tuple(value.strip().lower() for value in values.split(",")) if choice else (),
        listed=(begin, begin + len(values)),
    )
