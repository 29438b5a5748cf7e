"""Diagnostics as text for people.

The text of diagnostics, in the order of printing, is for example

    error[PCL0405]: expected true or false for `versioned`, found text
      --> web/main.pp:7:15
       |
     7 |   versioned = "yes"
       |               ^^^^^ this is text
       |
       = help: write `true`

The spans of notes share the frame if they are near; otherwise they get a frame of their own, opened by `:::`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from pclgen.diagnostics.cells import visible
from pclgen.diagnostics.frames import FrameLook, Mark, draw_frame, line_range
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.diagnostics.style import Role, Style
from pclgen.source.text import Span

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
