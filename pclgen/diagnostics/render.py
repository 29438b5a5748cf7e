"""Diagnostics as text for people.

The text of diagnostics, in the order of printing, is for example

    error[PCL0405]: expected true or false for `versioned`, found text
      --> web/main.pp:7:15
       |
     7 |   versioned = "yes"
       |               ^^^^^ this is text
       |
       = help: write `true`

A code frame shows source lines of one file with marks (a span, a label, primary or not) under them. A mark over several
lines has a bar at the left from its first line to its last.

The spans of notes share the frame if they are near; otherwise they get a frame of their own, opened by `:::`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from pclgen.diagnostics.cells import Role, Row, Style, layout_row, visible
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.source.text import SourceFile, Span

# -- messages ---------------------------------------------------------------------------------------------------------------

DEFAULT_WIDTH = 120
NEAR_LINES = 8
"""A note whose span is at most this many lines from the primary span is shown in the same frame."""

_MIN_WIDTH = 40

SEVERITY_ROLES = {Severity.ERROR: Role.ERROR, Severity.WARNING: Role.WARNING, Severity.INFO: Role.INFO}


def render_text(diagnostics: Iterable[Diagnostic], *, color: bool = False, width: int = DEFAULT_WIDTH) -> str:
    """All of `diagnostics`, a blank line after each, and the summary line; empty for no diagnostics.

    `width` is the available width in terminal columns: longer source lines are cut around the marked span.
    """
    items = tuple(diagnostics)
    if not items:
        return ""
    style = Style(color)
    parts = [render_diagnostic(item, style=style, width=width) for item in items]
    return "\n".join([*parts, style.paint(Role.STRONG, summary_line(items)), ""])


def render_diagnostic(diagnostic: Diagnostic, *, style: Style, width: int = DEFAULT_WIDTH) -> str:
    """One diagnostic, each line ended."""
    digits = _digits(diagnostic)
    look = FrameLook(digits=digits, width=max(_MIN_WIDTH, width - digits - 5), style=style)
    lines = [_head(diagnostic, style)]
    primary = diagnostic.primary
    aside: list[Note] = list(diagnostic.notes)
    if primary is not None:
        near, far, aside = _sort_notes(primary, diagnostic.notes)
        lines.append(_arrow("-->", primary, look))
        role = SEVERITY_ROLES[diagnostic.severity]
        marks = [Mark(span=primary, label=diagnostic.label, primary=True, role=role)]
        marks += [_note_mark(note.message, span) for note, span in near]
        lines += draw_frame(primary.file, marks, look)
        for note, span in far:
            lines.append(_arrow(":::", span, look))
            lines += draw_frame(span.file, [_note_mark(note.message, span)], look)
    lines += _messages(diagnostic, aside, look)
    return "\n".join(lines) + "\n"


def summary_line(diagnostics: Iterable[Diagnostic]) -> str:
    """For example `2 errors, 1 warning`."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    words = (
        (Severity.ERROR, "error", "errors"),
        (Severity.WARNING, "warning", "warnings"),
        (Severity.INFO, "remark", "remarks"),
    )
    counts = ((severities.count(severity), singular, plural) for severity, singular, plural in words)
    return ", ".join(f"{count} {singular if count == 1 else plural}" for count, singular, plural in counts if count)


def _head(diagnostic: Diagnostic, style: Style) -> str:
    kind = style.paint(SEVERITY_ROLES[diagnostic.severity], f"{diagnostic.severity.value}[{diagnostic.code}]")
    return kind + style.paint(Role.STRONG, f": {visible(diagnostic.message)}")


def _arrow(sign: str, span: Span, look: FrameLook) -> str:
    return f"{' ' * look.digits}{look.style.paint(Role.FRAME, sign)} {visible(str(span))}"


def _digits(diagnostic: Diagnostic) -> int:
    spans = [diagnostic.primary, *(note.span for note in diagnostic.notes)]
    return len(str(max((line_range(span)[1] for span in spans if span is not None), default=1)))


def _note_mark(message: str, span: Span) -> Mark:
    return Mark(span=span, label=message, primary=False, role=Role.CAUSE)


def _sort_notes(primary: Span, notes: Sequence[Note]) -> tuple[list[tuple[Note, Span]], list[tuple[Note, Span]], list[Note]]:
    """Notes for the primary frame, notes with their own frame, and notes without a span."""
    near: list[tuple[Note, Span]] = []
    far: list[tuple[Note, Span]] = []
    words: list[Note] = []
    for note in notes:
        if note.span is None or note.span == primary:
            words.append(note)
        elif note.span.file is primary.file and _distance(primary, note.span) <= NEAR_LINES:
            near.append((note, note.span))
        else:
            far.append((note, note.span))
    return near, far, words


def _distance(span: Span, other: Span) -> int:
    """Lines between two spans of a file; 0 when they overlap."""
    (first, last), (other_first, other_last) = line_range(span), line_range(other)
    return max(0, other_first - last, first - other_last)


def _messages(diagnostic: Diagnostic, words: Sequence[Note], look: FrameLook) -> Iterator[str]:
    messages = [("note", Role.STRONG, note.message) for note in words]
    if diagnostic.help is not None:
        messages.append(("help", Role.HELP, diagnostic.help))
    if messages and diagnostic.primary is not None:
        yield look.prefix()
    indent = " " * (look.digits + len(" = note: "))
    for kind, role, message in messages:
        first, *more = _wrapped(message, look.width - len("note: "))
        equals = look.style.paint(Role.FRAME, "=")
        yield f"{' ' * look.digits} {equals} {look.style.paint(role, kind + ':')} {first}"
        yield from (indent + line for line in more)


def _wrapped(message: str, width: int) -> list[str]:
    """The lines of `message`, long ones cut at blanks."""
    lines = [visible(line) for line in message.splitlines()] or [""]
    return [piece for line in lines for piece in _pieces(line, width)]


def _pieces(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]


# -- code frames ------------------------------------------------------------------------------------------------------------

SHORT_BLOCK_LINES = 5
"""A mark over at most this many lines is shown in full; of a longer mark, the first and the last line."""


class Mark(Struct, frozen=True, kw_only=True):
    """A span to underline, the words beside the underline, and the color of both."""

    span: Span
    label: str
    primary: bool
    role: Role


class FrameLook(Struct, frozen=True, kw_only=True):
    """The common settings of all frames of a diagnostic: digits of the widest line number, width of a line, and colors."""

    digits: int
    width: int
    style: Style

    def prefix(self, number: int | None = None) -> str:
        """The left edge of a line: its number and the border."""
        shown = "" if number is None else str(number)
        return self.style.paint(Role.FRAME, f"{shown:>{self.digits}} |")


class _Placed(Struct, frozen=True, kw_only=True):
    """A mark with its place in lines (1-based) and columns (0-based, `end_column` exclusive)."""

    mark: Mark
    first: int
    start_column: int
    last: int
    end_column: int

    @property
    def tall(self) -> bool:
        return self.first != self.last


def line_range(span: Span) -> tuple[int, int]:
    """First and last 1-based line that `span` touches; a line end that closes the span does not count as a line."""
    placed = _place(Mark(span=span, label="", primary=True, role=Role.PLAIN))
    return placed.first, placed.last


def draw_frame(file: SourceFile, marks: Sequence[Mark], look: FrameLook) -> list[str]:
    """The lines of `file` that `marks` touch, each with its underlines; the lines between are omitted."""
    placed = [_place(mark) for mark in marks]
    bars = sorted((p for p in placed if p.tall), key=lambda p: (p.first, -p.last))
    out = [look.prefix()]
    previous = 0
    for number in _shown_lines(placed):
        if previous and number != previous + 1:
            skipped = "...".ljust(look.digits + 2)
            out.append(look.style.paint(Role.FRAME, skipped) + _tail(_edge(bars, look, after=previous)))
        out += _draw_line(file.line_span(number), number, placed, bars=bars, look=look)
        previous = number
    return out


def _place(mark: Mark) -> _Placed:
    text = mark.span.file.text
    start, end = mark.span.start, max(mark.span.start, mark.span.end)
    while end > start and text[end - 1 : end] in ("\n", "\r"):
        end -= 1
    first, last = mark.span.file.position(start), mark.span.file.position(end)
    return _Placed(mark=mark, first=first.line, start_column=first.column - 1, last=last.line, end_column=last.column - 1)


def _shown_lines(placed: Iterable[_Placed]) -> list[int]:
    lines: set[int] = set()
    for mark in placed:
        is_short = mark.last - mark.first < SHORT_BLOCK_LINES
        lines.update(range(mark.first, mark.last + 1) if is_short else (mark.first, mark.last))
    # A gap of one line costs as much room as the line itself.
    lines.update(number + 1 for number in tuple(lines) if number + 2 in lines)
    return sorted(lines)


def _draw_line(line: Span, number: int, placed: Sequence[_Placed], *, bars: Sequence[_Placed], look: FrameLook) -> list[str]:
    here = [p for p in placed if number in (p.first, p.last)]
    row = layout_row(line, width=look.width, focus=_focus(here, number))
    edge = _edge(bars, look, after=number - 1)
    out = [look.prefix(number) + _tail(edge + row.text)]
    flat = sorted((p for p in here if not p.tall), key=lambda p: (not p.mark.primary, p.start_column))
    tails = [edge + _underline(mark, row, look.style) for mark in flat]
    tails += [_corner(mark, row, bars, look) for mark in bars if mark.last == number]
    tails += [_corner(mark, row, bars, look, opening=True) for mark in bars if mark.first == number]
    out += [look.prefix() + _tail(tail) for tail in tails]
    return out


def _focus(here: Sequence[_Placed], number: int) -> tuple[int, int]:
    """The source columns of line `number` that must stay in sight: those of its primary mark, else of all marks."""
    marks = [p for p in here if p.mark.primary] or here
    starts = [p.start_column if p.first == number else max(0, p.end_column - 1) for p in marks]
    ends = [p.end_column if p.last == number else p.start_column + 1 for p in marks]
    return (min(starts, default=0), max(ends, default=0))


def _underline(placed: _Placed, row: Row, style: Style) -> str:
    start, end = row.column(placed.start_column), row.column(placed.end_column)
    line = ("^" if placed.mark.primary else "-") * max(1, end - start)
    return " " * start + style.paint(placed.mark.role, _labelled(line, placed.mark))


def _labelled(line: str, mark: Mark) -> str:
    return f"{line} {visible(mark.label)}" if mark.label else line


def _edge(bars: Sequence[_Placed], look: FrameLook, *, after: int) -> str:
    """The bars that run on below line `after`, one column each, and a space."""
    if not bars:
        return ""
    return "".join(_bar(p, look.style) if p.first <= after < p.last else " " for p in bars) + " "


def _bar(placed: _Placed, style: Style) -> str:
    return style.paint(placed.mark.role, "|")


def _corner(placed: _Placed, row: Row, bars: Sequence[_Placed], look: FrameLook, *, opening: bool = False) -> str:
    """The line that joins a bar to where its mark starts (`opening`) or ends; the label stands at the end."""
    index = bars.index(placed)
    number = placed.first if opening else placed.last
    left = "".join(_bar(p, look.style) if p.first < number <= p.last else " " for p in bars[:index])
    column = row.column(placed.start_column if opening else max(0, placed.end_column - 1))
    tip = "^" if placed.mark.primary else "-"
    line = (" " if opening else "|") + "_" * (len(bars) - index + column) + tip
    return left + look.style.paint(placed.mark.role, line if opening else _labelled(line, placed.mark))


def _tail(text: str) -> str:
    """The part of a line right of the border: no trailing blanks."""
    return (" " + text).rstrip() if text.strip() else ""
