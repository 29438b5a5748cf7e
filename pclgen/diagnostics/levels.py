"""Warning levels of a project.

Levels of codes turn some warnings into errors and drop others. Errors stay errors, since no code can be generated from
a program with errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from pclgen.choices import Level
from pclgen.diagnostics.model import Diagnostic, Severity

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
