"""Short forms of `Diagnostic(...)` for the constructor functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics.model import Diagnostic, Fix, Note, Severity
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span

_LONGEST = 1000


class Suggestion(Struct, frozen=True):
    """A help that names a replacement: `similar` in place of `name`."""

    name: str
    similar: str

    def __str__(self) -> str:
        return f"did you mean `{self.similar}`?"

    def fix(self, span: Span | None) -> Fix | None:
        """The edit at the primary span of a diagnostic; None if the name does not occur there exactly once."""
        if span is None or span.text.count(self.name) != 1 or not self.name:
            return None
        start = span.start + span.text.index(self.name)
        place = Span(span.file, start, start + len(self.name))
        return Fix(title=f"Replace with `{short(self.similar)}`", span=place, text=self.similar)


def error(
    code: str,
    message: str,
    span: Span | None,
    label: str = "",
    *,
    notes: Iterable[Note] = (),
    help: str | Suggestion | None = None,  # noqa: A002  # the field of Diagnostic has this name
    fix: Fix | None = None,
) -> Diagnostic:
    """An error."""
    return Diagnostic(
        code=code,
        severity=Severity.ERROR,
        message=short(message),
        primary=span,
        label=short(label),
        notes=tuple(notes),
        help=None if help is None else short(str(help)),
        fix=help.fix(span) if isinstance(help, Suggestion) else fix,
    )


def warning(
    code: str,
    message: str,
    span: Span | None,
    label: str = "",
    *,
    notes: Iterable[Note] = (),
    help: str | Suggestion | None = None,  # noqa: A002  # the field of Diagnostic has this name
    fix: Fix | None = None,
) -> Diagnostic:
    """A warning."""
    return softened(error(code, message, span, label, notes=notes, help=help, fix=fix), True)


def softened(diagnostic: Diagnostic, soften: bool) -> Diagnostic:
    """The same diagnostic as a warning when `soften` (language.md, Lenient mode)."""
    if not soften or diagnostic.severity is not Severity.ERROR:
        return diagnostic
    return replace(diagnostic, severity=Severity.WARNING)


def note(message: str, span: Span | None = None) -> Note:
    """A note."""
    return Note(message=short(message), span=span)


def short(text: str) -> str:
    """A text for people: texts of programs and schemas have any length, and are cut in the middle."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 4 :]}"


def did_you_mean(name: str, names: Sequence[str]) -> Suggestion | None:
    """The help line for an unknown name, if a known name is similar."""
    similar = suggest(name, names)
    return Suggestion(name, similar) if similar is not None else None


def listing(names: Sequence[str], most: int = 12) -> str:
    """Names for a note: in order, cut when there are many."""
    shown = ", ".join(names[:most])
    return f"{shown}, … ({len(names)} in all)" if len(names) > most else shown
