"""Reports of a verification, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct, field

from pclgen.source.text import one_line
from pclgen.trace.compare import Absent, Difference
from pclgen.trace.json import Json, value_to_json
from pclgen.trace.render import render_difference

Level: TypeAlias = Literal["format", "compile", "run"]
LEVELS: tuple[Level, ...] = ("format", "compile", "run")

FORMAT_VERSION = 1


class Status(StrEnum):
    """The result of a check; NOT_VERIFIED means that a prerequisite is missing."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_VERIFIED = "not verified"


class RunDifference(Struct, frozen=True, kw_only=True):
    """The first difference between the run of the evaluator (left) and of a language, in `mode` (update or preview)."""

    mode: str
    difference: Difference


class Verdict(Struct, frozen=True, kw_only=True):
    """The verdict on one program (`key`) in one language at one level.

    `messages` are those of tools (or reasons for a missing verdict), `differences` those of its runs; `limits` names known
    limits of SDKs that explain other differences.
    """

    key: str
    language: str
    level: Level
    status: Status
    messages: tuple[str, ...] = ()
    differences: tuple[RunDifference, ...] = ()
    limits: tuple[str, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    """All verdicts, by language and level, and the names of the programs by key.

    `ungenerated` gives the reasons, by key, why nothing was generated for a program.
    """

    verdicts: tuple[Verdict, ...]
    names: Mapping[str, str]
    ungenerated: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_wrong(self) -> bool:
        """Whether a program failed, or could not be generated."""
        return bool(self.ungenerated) or self.count(Status.FAILED) > 0

    def count(self, status: Status) -> int:
        """Return the number of verdicts with this status."""
        return sum(verdict.status is status for verdict in self.verdicts)

    def of(self, key: str) -> Sequence[Verdict]:
        """Return the verdicts on one program."""
        return [verdict for verdict in self.verdicts if verdict.key == key]


def to_json(report: Report) -> dict[str, Json]:
    """Return a report as a JSON object."""
    programs: list[Json] = []
    for key, name in report.names.items():
        verdicts: list[Json] = [_verdict_to_json(verdict) for verdict in report.of(key)]
        entry: dict[str, Json] = {"name": name, "verdicts": verdicts}
        if key in report.ungenerated:
            entry["not_generated"] = report.ungenerated[key]
        programs.append(entry)
    summary: dict[str, Json] = {status.name.lower(): report.count(status) for status in Status}
    summary["not_generated"] = len(report.ungenerated)
    return {"format_version": FORMAT_VERSION, "programs": programs, "summary": summary}


def _verdict_to_json(verdict: Verdict) -> Json:
    entry: dict[str, Json] = {"language": verdict.language, "level": verdict.level, "status": verdict.status.name.lower()}
    if verdict.messages:
        entry["messages"] = list(verdict.messages)
    if verdict.differences:
        entry["differences"] = [_difference_to_json(difference) for difference in verdict.differences]
    if verdict.limits:
        entry["limits"] = list(verdict.limits)
    return entry


def _difference_to_json(run: RunDifference) -> Json:
    difference = run.difference
    place = difference.place
    entry: dict[str, Json] = {
        "mode": run.mode,
        "urn": difference.urn,
        "type": difference.type,
        "name": difference.name,
        "path": difference.path,
        "reason": difference.reason,
    }
    if place is not None:
        entry["place"] = {"file": place.file, "line": place.line, "column": place.column}
    for side, value in (("evaluator", difference.left), ("program", difference.right)):
        if not isinstance(value, Absent):
            entry[side] = value_to_json(value)
    return entry


def to_text(report: Report, *, color: bool = False) -> str:
    """Return a report for people: a line per program, failures, reasons for missing verdicts, and a summary."""
    lines: list[str] = []
    names = {key: one_line(name) for key, name in report.names.items()}
    width = max(map(len, names.values()), default=0)
    for key, name in names.items():
        outcome = f"not generated: {report.ungenerated[key]}" if key in report.ungenerated else _line(report.of(key))
        lines.append(f"{name.ljust(width)}  {outcome}".rstrip())
    for key, name in names.items():
        for verdict in report.of(key):
            if verdict.status is Status.FAILED:
                lines += ["", f"{name}, {verdict.language}, {verdict.level}:"]
                lines += [f"  {line}" for line in _details(verdict, color=color)]
    lines += _reasons(report)
    lines += ["", _sum(report)]
    return "\n".join(lines) + "\n"


def _line(verdicts: Sequence[Verdict]) -> str:
    """Return the outcome for each language: `python run  go not verified`."""
    languages = dict.fromkeys(verdict.language for verdict in verdicts)
    parts = []
    for language in languages:
        own = [verdict for verdict in verdicts if verdict.language == language]
        worst = next((v for status in (Status.FAILED, Status.NOT_VERIFIED) for v in own if v.status is status), None)
        parts.append(f"{language} ok" if worst is None else f"{language} {worst.status} ({worst.level})")
    return "  ".join(parts)


def _details(verdict: Verdict, *, color: bool) -> list[str]:
    lines = [line for message in verdict.messages for line in message.splitlines()]
    for run in verdict.differences:
        lines.append(f"in {'an' if run.mode == 'update' else 'a'} {run.mode}:")
        shown = render_difference(run.difference, left="evaluator", right=verdict.language, color=color)
        lines += [f"  {line}" for line in shown.splitlines()]
    return lines


def _reasons(report: Report) -> list[str]:
    """Return the reasons for missing verdicts, each once, with the languages and levels concerned."""
    reasons: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for verdict in report.verdicts:
        if verdict.status is Status.NOT_VERIFIED:
            levels = reasons.setdefault((verdict.language, "; ".join(verdict.messages)), {})
            levels.setdefault(verdict.level, {})[verdict.key] = None
    lines = ["", "not verified:"] if reasons else []
    for (language, reason), levels in reasons.items():
        for keys in dict.fromkeys(map(tuple, levels.values())):
            scope = ", ".join([language, *(level for level, concerned in levels.items() if tuple(concerned) == keys)])
            programs = "1 program" if len(keys) == 1 else f"{len(keys)} programs"
            lines.append(f"  {scope} ({programs}): {reason}")
    return lines


def _sum(report: Report) -> str:
    programs, lost = len(report.names), len(report.ungenerated)
    parts = [f"{report.count(status)} {status}" for status in Status if report.count(status) or status is Status.PASSED]
    limited = sorted({name for verdict in report.verdicts for name in verdict.limits})
    suffix = f"; known limits of SDKs: {', '.join(limited)}" if limited else ""
    of_all = f"{programs - lost} of {programs}" if lost else f"{programs}"
    return f"verified {of_all} program{'' if programs == 1 else 's'}: checks {', '.join(parts)}{suffix}"
