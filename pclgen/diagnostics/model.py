"""The data of a diagnostic with short forms to make it, and the warning levels of a project.

The constructor functions of this package build `Diagnostic`s from facts and spans, by `error`, `warning` and other short
forms. Each phase receives a `DiagnosticBag` to collect them in, and reads only `has_errors` from it.

Levels of codes turn some warnings into errors and drop others. Errors stay errors, since no code can be generated from
a program with errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from pclgen.choices import Level
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span


class Severity(StrEnum):
    """The severity of a diagnostic; only `ERROR` stops the pipeline."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Note(Struct, frozen=True, kw_only=True):
    """An explanation of a diagnostic. With a span, it points at the cause ("declared here")."""

    message: str
    span: Span | None = None


class Fix(Struct, frozen=True, kw_only=True):
    """An edit that fixes the mistake: `text` replaces the source at `span`; `title` describes it in the imperative."""

    title: str
    span: Span
    text: str


class Diagnostic(Struct, frozen=True, kw_only=True):
    """A problem of a program, of its configuration or of its environment.

    `message` is one line. `primary` is the span of the problem; it is None for a problem outside of files, such as a wrong
    option. `label` is the short text beside the underlined source. `notes` give reasons, `help` the next step, and `fix` is
    the edit for editors, if exactly one edit solves the problem.
    """

    code: str
    severity: Severity
    message: str
    primary: Span | None
    label: str = ""
    notes: tuple[Note, ...] = ()
    help: str | None = None
    fix: Fix | None = None  # packs omit it, since the other fields imply it


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether there is an error among `diagnostics`."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


class DiagnosticBag:
    """Collects diagnostics, one per code, place and message, since several checks may report the same mistake."""

    __slots__ = ("_items", "_seen", "has_errors")

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._items: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int, int, str]] = set()
        self.has_errors: bool = False
        self.extend(diagnostics)

    def add(self, diagnostic: Diagnostic) -> None:
        """Record `diagnostic` unless it is already recorded."""
        span = diagnostic.primary
        place = (id(span.file), span.start, span.end) if span is not None else (0, 0, 0)
        key = (diagnostic.code, *place, diagnostic.message)
        if key in self._seen:
            return
        self._seen.add(key)
        self._items.append(diagnostic)
        if diagnostic.severity is Severity.ERROR:
            self.has_errors = True

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Record each of `diagnostics`."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All diagnostics by file name, place and code; those without a place come first."""

        def key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
            span = diagnostic.primary
            if span is None:
                return ("", -1, -1, diagnostic.code)
            return (span.file.name, span.start, span.end, diagnostic.code)

        return tuple(sorted(self._items, key=key))


# -- warning levels ---------------------------------------------------------------------------------------------------------

_SEVERITIES = {Level.ERROR: Severity.ERROR, Level.WARNING: Severity.WARNING}


def with_levels(
    diagnostics: Iterable[Diagnostic], levels: Mapping[str, Level], *, errors_from: Severity = Severity.ERROR
) -> tuple[Diagnostic, ...]:
    """`diagnostics` with the severities that `levels` give their codes; with `errors_from` `WARNING`, all remaining warnings
    become errors."""
    leveled: list[Diagnostic] = []
    for item in diagnostics:
        level = levels.get(item.code) if item.severity is not Severity.ERROR else None
        if level is Level.OFF:
            continue
        severity = _SEVERITIES[level] if level is not None else item.severity
        if severity is Severity.WARNING and errors_from is Severity.WARNING:
            severity = Severity.ERROR
        leveled.append(item if severity is item.severity else replace(item, severity=severity))
    return tuple(leveled)


def has_raised(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Return whether levels turned a warning into an error: `after` is `with_levels` of `before`."""
    errors = [sum(item.severity is Severity.ERROR for item in items) for items in (before, after)]
    return errors[1] > errors[0]


# -- short forms ------------------------------------------------------------------------------------------------------------

_LONGEST = 1000


class Suggestion(Struct, frozen=True):
    """A help that names a replacement: `similar` in place of `name`."""

    name: str
    similar: str

    def __str__(self) -> str:
        text = f"did you mean `{self.similar}`?"
        if self.name.isascii() == self.similar.isascii():
            return text
        foreign = next(char for char in self.name + self.similar if not char.isascii())  # it may look like a Latin letter
        return f"{text} `{foreign}` is U+{ord(foreign):04X}"

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
