"""What several commands do with programs: read them all, count, and turn diagnostics into a status."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.source.load import STDIN, LoadedProgram, load_program


def load_programs(paths: Sequence[str], console: Console, *, allow_outside: bool) -> tuple[LoadedProgram, ...]:
    """The programs at `paths`, in that order.  Raises `LoadError`, and `UsageError` for a second `-`."""
    if paths.count(STDIN) > 1:
        raise UsageError("standard input (`-`) can be read only once")
    return tuple(load_program(path, stdin=console.stdin, allow_outside=allow_outside) for path in paths)


def failed(diagnostics: Iterable[Diagnostic]) -> int:
    """Exit status: 1 when there is an error among `diagnostics`, else 0."""
    return int(any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics))


def count(number: int, noun: str) -> str:
    """For example `1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
