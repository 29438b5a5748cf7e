"""How constructor functions make a diagnostic: two short forms of `Diagnostic(...)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span

_LONGEST = 1000


def error(
    code: str,
    message: str,
    span: Span | None,
    label: str = "",
    *,
    notes: Iterable[Note] = (),
    help: str | None = None,  # noqa: A002  # the field of Diagnostic has this name
) -> Diagnostic:
    """An error."""
    return Diagnostic(
        code=code,
        severity=Severity.ERROR,
        message=short(message),
        primary=span,
        label=short(label),
        notes=tuple(notes),
        help=None if help is None else short(help),
    )


def warning(
    code: str,
    message: str,
    span: Span | None,
    label: str = "",
    *,
    notes: Iterable[Note] = (),
    help: str | None = None,  # noqa: A002  # the field of Diagnostic has this name
) -> Diagnostic:
    """A warning."""
    return Diagnostic(
        code=code,
        severity=Severity.WARNING,
        message=short(message),
        primary=span,
        label=short(label),
        notes=tuple(notes),
        help=None if help is None else short(help),
    )


def softened(diagnostic: Diagnostic, soften: bool) -> Diagnostic:
    """The same diagnostic as a warning when `soften` (language.md, Lenient mode)."""
    if not soften or diagnostic.severity is not Severity.ERROR:
        return diagnostic
    return Diagnostic(
        code=diagnostic.code,
        severity=Severity.WARNING,
        message=diagnostic.message,
        primary=diagnostic.primary,
        label=diagnostic.label,
        notes=diagnostic.notes,
        help=diagnostic.help,
    )


def note(message: str, span: Span | None = None) -> Note:
    """A note."""
    return Note(message=short(message), span=span)


def short(text: str) -> str:
    """A text for people: what a program or a schema says may be of any length, and is cut in the middle."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 4 :]}"


def did_you_mean(name: str, known: Sequence[str]) -> str | None:
    """The help line for an unknown name, when something similar is known."""
    similar = suggest(name, known)
    return f"did you mean `{similar}`?" if similar is not None else None


def listing(names: Sequence[str], most: int = 12) -> str:
    """Names for a note: in order, cut when there are many."""
    shown = ", ".join(names[:most])
    return f"{shown}, … ({len(names)} in all)" if len(names) > most else shown
