"""Verification of Pulumi YAML: pclgen reads the generated text back.

`compile` reads and binds the text; `run` evaluates it and the original program and compares registrations. There is no
formatter for YAML: `format` passes if the text is YAML.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

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
    """Yield the verdicts of all programs."""
    for subject in subjects:
        read = _read(subject)
        for level in levels:
            if read is None:
                messages = ("nothing says which schemas it was made with",)
                yield Verdict(
                    key=subject.key, language=LANGUAGE, level=level, status=Status.NOT_VERIFIED, messages=messages
                )
                continue
            yield _verdict(subject, read, level, evaluations)
            if not read.ok:
                break


def _read(subject: Subject) -> CheckResult | None:
    """Return the check result of the generated program."""
    if subject.store is None:
        return None
    ((path, text),) = subject.files[LANGUAGE].items()
    file = RawFile(name=str(path), path=None, data=text.encode("utf-8"))
    return check(replace(subject.source, files=(file,), unread=()), store=subject.store)


def _verdict(subject: Subject, read: CheckResult, level: Level, evaluations: Evaluations) -> Verdict:
    errors = [diagnostic for diagnostic in read.diagnostics if diagnostic.severity is Severity.ERROR]
    messages = tuple(f"{error.primary}: {error.message}" for error in errors)
    differences: tuple[RunDifference, ...] = ()
    if read.program is not None and level == "run":
        messages, differences = _compared(subject, replace(subject, program=read.program), evaluations)
    status = Status.FAILED if messages or differences else Status.PASSED
    return Verdict(
        key=subject.key, language=LANGUAGE, level=level, status=status, messages=messages, differences=differences
    )


def _compared(
    subject: Subject, again: Subject, evaluations: Evaluations
) -> tuple[tuple[str, ...], tuple[RunDifference, ...]]:
    """Return failed runs, and the first difference in each mode."""
    expected = evaluations.of(subject)
    failures: list[str] = []
    differences_: list[RunDifference] = []
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
            differences_.append(RunDifference(mode=mode, difference=first))
    return tuple(failures), tuple(differences_)
