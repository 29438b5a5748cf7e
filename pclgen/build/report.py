"""Reports of a build: a summary line and the JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pclgen.build.model import Problem, Result, Status, Summary
from pclgen.choices import Action
from pclgen.diagnostics.machine import document_of


def sentence(summary: Summary, action: Action) -> str:
    """One line: `built 12 programs: 3 generated, 8 unchanged, 1 failed, 2 folders removed`."""
    total = len(summary.results)
    verb = "built" if action is Action.WRITE else "looked at"
    words = {
        Status.GENERATED: "generated" if action is Action.WRITE else "would change",
        Status.UNCHANGED: "unchanged",
        Status.FAILED: "failed",
    }
    counts = [f"{number} {word}" for status, word in words.items() if (number := summary.count(status))]
    if summary.removed:
        folders = f"{len(summary.removed)} folder{'s' if len(summary.removed) != 1 else ''}"
        counts.append(f"{folders} removed" if action is Action.WRITE else f"{folders} would be removed")
    programs = f"{total} program{'s' if total != 1 else ''}"
    return f"{verb} {programs}: {', '.join(counts)}" if counts else f"{verb} {programs}"


def as_json(summary: Summary) -> str:
    """Return the document of `--output-format json`: that of other commands plus `programs`, `removed` and `summary`."""
    document = document_of(item for result in summary.results for item in result.diagnostics)
    document["programs"] = [_program(result) for result in summary.results]
    document["removed"] = [folder.as_posix() for folder in summary.removed]
    document["summary"] = {
        **{status.value: summary.count(status) for status in Status},
        "removed": len(summary.removed),
        "from_cache": sum(result.from_cache for result in summary.results),
    }
    return json.dumps(document, indent=2) + "\n"


def _program(result: Result) -> Mapping[str, object]:
    return {
        "program": result.label,
        "status": result.status.value,
        "problem": problem_of(result.problem),
        "written": list(result.written),
        "refused": list(result.refused),
        "changes": [{"path": change.path.as_posix(), "deleted": change.deleted} for change in result.changes],
        "from_cache": result.from_cache,
    }


def problem_of(problem: Problem | None) -> Mapping[str, object] | None:
    """Return a problem as plain data."""
    if problem is None:
        return None
    return {"message": problem.message, "help": problem.hint, "blame": problem.blame.value}
