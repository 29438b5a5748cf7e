"""Verification of the evaluator's values: those of a program that are pure are computed by HashiCorp's HCL, too.

The defaults of configuration are used. Programs in Pulumi YAML, and those without a pure value, get no verdict.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from typing import Final

from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.pipeline import bind
from pclgen.schema.load import SchemaStore
from pclgen.source.load import is_yaml, program_in_memory
from pclgen.source.text import SourceFile, one_line
from pclgen.syntax.parse import parse_file
from pclgen.verify.environments import InstallError, judge_environment
from pclgen.verify.hcl.judge import FAILS, REFUSED, Answer, Judge, Value, plain
from pclgen.verify.hcl.purity import PureValue, PureValues, pure_values
from pclgen.verify.hcl.rules import AGREEING, compare, judgements
from pclgen.verify.report import Status, Verdict
from pclgen.verify.subjects import Subject

LANGUAGE: Final = "hcl"
NO_PACKAGES: Final = SchemaStore([])


def compare_with_hcl(subjects: Sequence[Subject]) -> Iterator[Verdict]:
    """Yield a verdict for each program with pure values."""
    programs = [(subject, pure) for subject in subjects if (pure := _pure_values(subject)).values]
    if not programs:
        return
    try:
        judge = Judge(judge_environment())
    except InstallError as error:
        for subject, _ in programs:
            yield _verdict(subject, Status.NOT_VERIFIED, str(error))
        return
    for subject, pure in programs:
        try:
            # Most programs agree as a whole. Where one does not, each value is judged alone: one that fails fails all.
            differing = _differences(pure, [pure.values], judge)
            if differing:
                differing = _differences(pure, [(value,) for value in pure.values], judge)
        except (OSError, subprocess.CalledProcessError) as error:
            yield _verdict(subject, Status.NOT_VERIFIED, f"the judge fails: {error}")
            continue
        yield _verdict(subject, Status.FAILED if differing else Status.PASSED, *differing)


def evaluate_pure(text: str) -> Answer:
    """Return the evaluator's answer to a program of one output without packages."""
    checked = bind(program_in_memory("pure", {"main.pp": text}), NO_PACKAGES)
    error = next((diagnostic for diagnostic in checked.diagnostics if diagnostic.severity is Severity.ERROR), None)
    if error is not None or checked.program is None:
        assert error is not None
        return refused(error)
    run = evaluate_program(checked.program, Settings(project="pure"))
    if run.trace.failed:
        return Answer(FAILS, next(entry.message for entry in run.diagnostics if entry.severity is Severity.ERROR))
    (value,) = run.trace.outputs.values()
    return Answer(Value(plain(value)))


def refused(error: Diagnostic) -> Answer:
    """Return the answer for a program with an error."""
    place = "" if error.primary is None else f" at {error.primary}"
    return Answer(REFUSED, f"{error.code}{place}: {error.message}")


def _pure_values(subject: Subject) -> PureValues:
    files = [file for file in subject.source.files if not is_yaml(file.name) and not subject.source.is_pack]
    texts = (SourceFile(file.name, file.data.decode("utf-8-sig")) for file in files)
    return pure_values([parse_file(text, DiagnosticBag()) for text in texts])


def _differences(pure: PureValues, groups: Sequence[Sequence[PureValue]], judge: Judge) -> list[str]:
    """Return a sentence for each value that differs; the values of a group are evaluated together."""
    texts = [pure.program(group) for group in groups]
    sentences: list[str] = []
    for group, text, judgement in zip(groups, texts, judgements(judge, texts), strict=True):
        evaluated = evaluate_pure(text)
        for number, value in enumerate(group):
            answer, member = evaluated.member(f"v{number}"), judgement.member(f"v{number}")
            if compare(member, answer, text) not in AGREEING:
                sentences.append(f"{value.span}: {value.label}: pclgen {_shown(answer)}, HCL {_shown(member.hcl)}")
    return sentences


def _shown(answer: Answer) -> str:
    if isinstance(answer.result, Value):
        return f"has {json.dumps(answer.result.json, ensure_ascii=False)}"
    return f"fails ({one_line(answer.message)})"


def _verdict(subject: Subject, status: Status, *messages: str) -> Verdict:
    return Verdict(key=subject.key, language=LANGUAGE, level="run", status=status, messages=messages)
