"""What a verification found, for people and for programs.

Comes in: verdicts.  Goes out: text that ends in a newline, or JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Literal, TypeAlias

from pclgen.records import dataclass
from pclgen.source.text import one_line
from pclgen.trace.compare import Absent, Difference
from pclgen.trace.json import Json, value_to_json
from pclgen.trace.render import render_difference

Level: TypeAlias = Literal["format", "compile", "run"]
LEVELS: tuple[Level, ...] = ("format", "compile", "run")

FORMAT_VERSION = 1


class Status(StrEnum):
    """NOT_VERIFIED: something that is needed to tell is not there."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_VERIFIED = "not verified"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDifference:
    """The first difference between the evaluator's run (left) and that of a language, in `mode` (update or preview)."""

    mode: str
    difference: Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is true of one program (`key`) in one language at one level.

    `messages` are the tools' (or why nothing is known), `differences` those of its runs; `limits` names known limits of SDKs
    that explain other differences.
    """

    key: str
    language: str
    level: Level
    status: Status
    messages: tuple[str, ...] = ()
    differences: tuple[RunDifference, ...] = ()
    limits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All verdicts, by language and level, and the names of the programs by key.

    `ungenerated` says why programs, by key, have no verdicts: nothing could be generated from them.
    """

    verdicts: tuple[Verdict, ...]
    names: Mapping[str, str]
    ungenerated: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_wrong(self) -> bool:
        """Whether a program failed, or could not be generated."""
        return bool(self.ungenerated) or self.count(Status.FAILED) > 0

    def count(self, status: Status) -> int:
        """How many verdicts have this status."""
        return sum(verdict.status is status for verdict in self.verdicts)

    def of(self, key: str) -> Sequence[Verdict]:
        """The verdicts about one program."""
        return [verdict for verdict in self.verdicts if verdict.key == key]


def to_json(report: Report) -> dict[str, Json]:
    """A report as a JSON object."""
    programs: list[Json] = []
    for key, name in report.names.items():
        verdicts: list[Json] = [_verdict_to_json(verdict) for verdict in report.of(key)]
        made: dict[str, Json] = {"name": name, "verdicts": verdicts}
        if key in report.ungenerated:
            made["not_generated"] = report.ungenerated[key]
        programs.append(made)
    summary: dict[str, Json] = {status.name.lower(): report.count(status) for status in Status}
    summary["not_generated"] = len(report.ungenerated)
    return {"format_version": FORMAT_VERSION, "programs": programs, "summary": summary}


def _verdict_to_json(verdict: Verdict) -> Json:
    made: dict[str, Json] = {"language": verdict.language, "level": verdict.level, "status": verdict.status.name.lower()}
    if verdict.messages:
        made["messages"] = list(verdict.messages)
    if verdict.differences:
        made["differences"] = [_difference_to_json(found) for found in verdict.differences]
    if verdict.limits:
        made["limits"] = list(verdict.limits)
    return made


def _difference_to_json(found: RunDifference) -> Json:
    difference = found.difference
    place = difference.place
    made: dict[str, Json] = {
        "mode": found.mode,
        "urn": difference.urn,
        "type": difference.type,
        "name": difference.name,
        "path": difference.path,
        "reason": difference.reason,
    }
    if place is not None:
        made["place"] = {"file": place.file, "line": place.line, "column": place.column}
    for side, value in (("evaluator", difference.left), ("program", difference.right)):
        if not isinstance(value, Absent):
            made[side] = value_to_json(value)
    return made


def to_text(report: Report, *, color: bool = False) -> str:
    """A report for people: a line a program, what went wrong, what is not verified, and the sum."""
    lines: list[str] = []
    names = {key: one_line(name) for key, name in report.names.items()}
    width = max(map(len, names.values()), default=0)
    for key, name in names.items():
        told = f"not generated: {report.ungenerated[key]}" if key in report.ungenerated else _line(report.of(key))
        lines.append(f"{name.ljust(width)}  {told}".rstrip())
    for key, name in names.items():
        for verdict in report.of(key):
            if verdict.status is Status.FAILED:
                lines += ["", f"{name}, {verdict.language}, {verdict.level}:"]
                lines += [f"  {line}" for line in _details(verdict, color=color)]
    lines += _reasons(report)
    lines += ["", _sum(report)]
    return "\n".join(lines) + "\n"


def _line(verdicts: Sequence[Verdict]) -> str:
    """For each language how far it got: `python run  go not verified`."""
    languages = dict.fromkeys(verdict.language for verdict in verdicts)
    parts = []
    for language in languages:
        own = [verdict for verdict in verdicts if verdict.language == language]
        worst = next((v for status in (Status.FAILED, Status.NOT_VERIFIED) for v in own if v.status is status), None)
        parts.append(f"{language} ok" if worst is None else f"{language} {worst.status} ({worst.level})")
    return "  ".join(parts)


def _details(verdict: Verdict, *, color: bool) -> list[str]:
    lines = [line for message in verdict.messages for line in message.splitlines()]
    for found in verdict.differences:
        lines.append(f"in {'an' if found.mode == 'update' else 'a'} {found.mode}:")
        shown = render_difference(found.difference, left="evaluator", right=verdict.language, color=color)
        lines += [f"  {line}" for line in shown.splitlines()]
    return lines


def _reasons(report: Report) -> list[str]:
    """Why verdicts are missing: each reason once, with the languages and levels that it is about."""
    reasons: dict[tuple[str, str], dict[str, None]] = {}
    for verdict in report.verdicts:
        if verdict.status is Status.NOT_VERIFIED:
            what = f"{verdict.language}, {verdict.level}"
            reasons.setdefault((what, "; ".join(verdict.messages)), {})[verdict.key] = None
    if not reasons:
        return []
    lines = ["", "not verified:"]
    for (what, reason), keys in reasons.items():
        programs = "1 program" if len(keys) == 1 else f"{len(keys)} programs"
        lines.append(f"  {what} ({programs}): {reason}")
    return lines


def _sum(report: Report) -> str:
    programs, lost = len(report.names), len(report.ungenerated)
    parts = [f"{report.count(status)} {status}" for status in Status if report.count(status) or status is Status.PASSED]
    limited = sorted({name for verdict in report.verdicts for name in verdict.limits})
    known = f"; known limits of SDKs: {', '.join(limited)}" if limited else ""
    of_all = f"{programs - lost} of {programs}" if lost else f"{programs}"
    return f"verified {of_all} program{'' if programs == 1 else 's'}: checks {', '.join(parts)}{known}"
