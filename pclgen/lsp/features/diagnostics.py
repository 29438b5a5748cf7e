"""Diagnostics for editors, and quick fixes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from pclgen.diagnostics.codes import address, all_codes
from pclgen.diagnostics.model import Diagnostic, Fix
from pclgen.source.text import Span


class Tag(StrEnum):
    """A rendering hint for editors."""

    UNNECESSARY = "unnecessary"
    DEPRECATED = "deprecated"


_TAGS = {
    "PCL0213": Tag.DEPRECATED,
    "PCL0312": Tag.DEPRECATED,
    "PCL0420": Tag.DEPRECATED,
    "PCL1208": Tag.UNNECESSARY,
    "PCL1212": Tag.UNNECESSARY,
}


class Mark(Struct, frozen=True, kw_only=True):
    """A diagnostic at a span: `message` includes its notes and help, `related` are the notes with a span."""

    diagnostic: Diagnostic
    span: Span
    message: str
    tag: Tag | None
    href: str | None
    related: tuple[tuple[Span, str], ...]


def marks(diagnostics: Sequence[Diagnostic]) -> Iterator[Mark]:
    """Yield the diagnostics that have a span."""
    for diagnostic in diagnostics:
        if diagnostic.primary is not None:
            yield _mark(diagnostic, diagnostic.primary)


def _mark(diagnostic: Diagnostic, span: Span) -> Mark:
    lines = [diagnostic.message]
    lines += [note.message for note in diagnostic.notes if note.span is None]
    lines += [] if diagnostic.help is None else [f"help: {diagnostic.help}"]
    codes = {code.code for code in all_codes()}
    return Mark(
        diagnostic=diagnostic,
        span=span,
        message="\n".join(lines),
        tag=_TAGS.get(diagnostic.code),
        href=address(diagnostic.code) if diagnostic.code in codes else None,
        related=tuple([(note.span, note.message) for note in diagnostic.notes if note.span is not None]),
    )


def fixes(diagnostics: Sequence[Diagnostic], file: str, start: int, end: int) -> Iterator[tuple[Diagnostic, Fix]]:
    """Yield the fixes of a file's diagnostics that overlap `start` to `end`."""
    for diagnostic in diagnostics:
        span, fix = diagnostic.primary, diagnostic.fix
        if span is not None and fix is not None and span.file.name == file and span.start <= end and start <= span.end:
            yield diagnostic, fix
