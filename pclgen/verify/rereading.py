"""Verification of Pulumi YAML: what was generated is read back by pclgen's own reader.

Comes in: subjects with a program in YAML.  Goes out: verdicts.  `compile`: the text is read and bound; `run`: the evaluator
runs it and the program that it was made from, and registrations are the same.  No tool lays out YAML: `format` holds where
it is YAML.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from pclgen.diagnostics.model import Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.pipeline import check
from pclgen.results import CheckResult
from pclgen.source.load import RawFile
from pclgen.trace.compare import differences
from pclgen.verify.comparison import MODES, Evaluations
from pclgen.verify.limits import comparable
from pclgen.verify.report import Level, RunDifference, Status, Verdict
from pclgen.verify.subjects import Subject, stage_data

LANGUAGE: Final = "yaml"


def reread(subjects: Sequence[Subject], levels: Sequence[Level], evaluations: Evaluations) -> Iterator[Verdict]:
    """The verdicts of all programs."""
    for subject in subjects:
        read = _read(subject)
        for level in levels:
            if read is None:
                told = ("nothing says which schemas it was made with",)
                yield Verdict(
                    key=subject.key, language=LANGUAGE, level=level, status=Status.NOT_VERIFIED, messages=told
                )
                continue
            yield _verdict(subject, read, level, evaluations)
            if not read.ok:
                break


def _read(subject: Subject) -> CheckResult | None:
    """The program that was generated, as it is read."""
    if subject.store is None:
        return None
    ((path, text),) = subject.files[LANGUAGE].items()
    file = RawFile(name=str(path), path=None, data=text.encode("utf-8"))
    return check(replace(subject.source, files=(file,), unread=()), store=subject.store)


def _verdict(subject: Subject, read: CheckResult, level: Level, evaluations: Evaluations) -> Verdict:
    messages = tuple(f"{one.primary}: {one.message}" for one in read.diagnostics if one.severity is Severity.ERROR)
    found: tuple[RunDifference, ...] = ()
    if read.program is not None and level == "run":
        messages, found = _compared(subject, replace(subject, program=read.program), evaluations)
    status = Status.FAILED if messages or found else Status.PASSED
    return Verdict(key=subject.key, language=LANGUAGE, level=level, status=status, messages=messages, differences=found)


def _compared(
    subject: Subject, again: Subject, evaluations: Evaluations
) -> tuple[tuple[str, ...], tuple[RunDifference, ...]]:
    """Runs that fail, and the first difference of each mode."""
    expected = evaluations.of(subject)
    failures: list[str] = []
    found: list[RunDifference] = []
    for mode in MODES:
        left = expected.traces[mode]
        with tempfile.TemporaryDirectory(prefix="pclgen-evaluate-") as scratch:
            folder = stage_data(subject.source, Path(scratch).resolve() / "program")
            settings = replace(expected.settings[mode], directory=folder, root_directory=folder)
            right = comparable(evaluate_program(again.program, settings).trace, folder)
        if left.failed or right.failed:
            failures.append(f"{mode}: the {'program' if left.failed else 'program in YAML'} fails")
            continue
        first = next(iter(differences(left, right)), None)
        if first is not None:
            found.append(RunDifference(mode=mode, difference=first))
    return tuple(failures), tuple(found)
