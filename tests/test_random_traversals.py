"""Random programs with colliding computed keys and unused functions, run in all languages and compared with the evaluator.

Values with the same key are grouped in one order, or refused everywhere; a function is called whatever its name is.

    PCLGEN_FRESH=7 pytest tests/test_random_traversals.py       tries others
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Level, Report, Status, to_text
from tests.support.corpus import ROOT
from tests.support.random_traversals import STD, colliding, packed, program
from tests.support.sdks.go import sdk_kit
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

LEVELS: tuple[Level, ...] = ("compile", "run")
FIRST = 1_000_000 * int(os.environ.get("PCLGEN_FRESH") or 0)
NUMBERS = range(FIRST, FIRST + int(os.environ.get("PCLGEN_COUNT") or 60))
EACH = 12
"""The number of programs in a file."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """One verification of all programs."""
    folder: Path = tmp_path_factory.mktemp("schemas")
    std = folder / "std-2.3.2.json"
    std.write_text(json.dumps(STD), encoding="utf-8")
    store = SchemaStore([folder, ROOT / "examples" / "schemas"])
    packs = [NUMBERS[at : at + EACH] for at in range(0, len(NUMBERS), EACH)]
    subjects = subjects_in_memory({f"from{pack[0]}": packed(pack) for pack in packs}, store)
    settings = Settings(stack="dev", organization="acme")
    # The Go SDK of std is not available everywhere.
    user_environments = replace(environments(), go_module=sdk_kit([std]).module)
    return verified(subjects, lambda subject: settings, tools=user_environments, levels=LEVELS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_traversals_and_idle_functions_run_as_the_evaluator_says(report: Report, language: str) -> None:
    verdicts = tuple(verdict for verdict in report.verdicts if verdict.language == language)
    failed = tuple(verdict for verdict in verdicts if verdict.status is not Status.PASSED)
    assert not failed, to_text(Report(verdicts=failed, names=report.names))
    assert len(verdicts) == len(LEVELS) * -(-len(NUMBERS) // EACH)


def test_the_programs_have_what_they_are_for() -> None:
    texts = [program(number) for number in NUMBERS]
    for form in ("idle", "for k, v in", '"same" =>', "range = {", 'invoke("std:index:alltrue"', 'invoke("std:index:tolist"'):
        assert any(form in text for text in texts), form


def test_two_elements_with_one_key_are_refused_by_all() -> None:
    programs = {f"colliding{number}": colliding(number) for number in range(3)}
    subjects = subjects_in_memory(programs, SchemaStore([ROOT / "examples" / "schemas"]))
    settings = Settings(stack="dev", organization="acme")
    report = verified(subjects, lambda subject: settings, tools=environments(), levels=("run",))
    assert len(report.verdicts) == len(LANGUAGES) * len(programs)
    for verdict in report.verdicts:
        text = to_text(Report(verdicts=(verdict,), names=report.names))
        assert "the evaluator fails: two elements have the key" in text, text
        assert "two elements have the " in text.partition("the program fails: ")[2], text
