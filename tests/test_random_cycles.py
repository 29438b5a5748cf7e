"""Random programs of components that depend on each other, run in all languages and compared with the evaluator.

A failure names the numbers; `files(number)` of `tests.support.random_cycles` returns the texts.

    PCLGEN_FRESH=7 pytest tests/test_random_cycles.py       tries others
"""

from __future__ import annotations

import os

import pytest

from pclgen.evaluate.settings import Settings
from pclgen.pipeline import generate
from pclgen.plan.build import plan_project
from pclgen.plan.model import Defer
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.verify.report import Level, Report, Status, to_text
from tests.support.corpus import ROOT
from tests.support.random_cycles import files
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

LEVELS: tuple[Level, ...] = ("compile", "run")
FIRST = 1_000_000 * int(os.environ.get("PCLGEN_FRESH") or 0)
NUMBERS = range(FIRST, FIRST + int(os.environ.get("PCLGEN_COUNT") or 8))
SCHEMAS = ROOT / "examples" / "schemas"


@pytest.fixture(scope="module")
def report() -> Report:
    """One verification of all programs."""
    subjects = programs_in_memory({str(number): files(number) for number in NUMBERS}, SchemaStore([SCHEMAS]))
    settings = Settings(stack="dev", organization="acme")
    return verified(subjects, lambda subject: settings, tools=environments(), levels=LEVELS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_components_that_need_each_other_run_as_the_evaluator_says(report: Report, language: str) -> None:
    verdicts = tuple(verdict for verdict in report.verdicts if verdict.language == language)
    failed = tuple(verdict for verdict in verdicts if verdict.status is not Status.PASSED)
    assert not failed, to_text(Report(verdicts=failed, names=report.names))
    assert len(verdicts) == len(LEVELS) * len(NUMBERS)


def test_most_of_the_programs_defer_something() -> None:
    deferring = 0
    for number in NUMBERS:
        result = generate(program_in_memory("app", files(number)), languages=(), schemas=[SCHEMAS])
        assert result.program is not None
        deferring += any(isinstance(statement, Defer) for statement in plan_project(result.program).main.statements)
    assert deferring * 2 > len(NUMBERS)
