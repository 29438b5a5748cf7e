"""Runs of every program of the field corpus, `examples/` and `cases/verify` in Python, TypeScript and Go (update, preview).

Registrations and stack outputs equal the evaluator's.  (`test_verify_installed` runs the programs for aws and kubernetes.)

`pclgen.verify.limits` has the table of SDK-specific behavior; the table here lists which limits appear in which program, so
that a limit hides nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.limits import LIMITS
from pclgen.verify.report import Report, Status, to_text
from tests.support.corpus import ROOT, needs_corpus, program_directories
from tests.support.field_runs import settings_of
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs
from tests.support.verified import LANGUAGES, environments, subjects_of, verified

CASES = sorted((ROOT / "tests" / "cases" / "verify").iterdir())
PROGRAMS = [*program_directories("field"), *example_programs().values(), *CASES]

SHOWN: Mapping[tuple[str, str], frozenset[str]] = {
    ("06-nested-output-properties", "typescript"): frozenset({"known-parts"}),
    ("07-index-output-lists", "go"): frozenset({"partly-unknown"}),
    ("19-explicit-providers-and-versions", "typescript"): frozenset({"provider-secrets"}),
    ("20-options-replacement-and-hooks", "typescript"): frozenset({"replace-with-dependency"}),
    ("22-invoke-options", "python"): frozenset({"functions-held-back"}),
    ("22-invoke-options", "typescript"): frozenset({"functions-held-back"}),
    ("23-std-function-chains", "python"): frozenset({"functions-held-back"}),
    ("23-std-function-chains", "typescript"): frozenset({"functions-held-back"}),
    ("25-assets-and-archives", "python"): frozenset({"nested-defaults"}),
    ("28-enums", "python"): frozenset({"nested-defaults"}),
    ("labels-of-found-repositories", "go"): frozenset({"functions-called-early"}),
}
"""The limits that appear, by program and language."""


@pytest.fixture(scope="module")
def report() -> Report:
    """One verification of all programs."""
    store = SchemaStore([REAL_SCHEMAS, EXAMPLE_SCHEMAS])
    return verified(subjects_of(PROGRAMS, store), settings_of, tools=environments(unpublished=True))


def only(report: Report, program: str, language: str) -> Report:
    """The part of a report about one program in one language."""
    verdicts = tuple(v for v in report.verdicts if report.names[v.key] == program and v.language == language)
    return Report(verdicts=verdicts, names={verdict.key: program for verdict in verdicts})


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_runs_as_the_evaluator_says(report: Report, program: Path, language: str) -> None:
    part = only(report, program.name, language)
    assert [verdict.status for verdict in part.verdicts] == [Status.PASSED], to_text(part)
    (verdict,) = part.verdicts
    assert frozenset(verdict.limits) == SHOWN.get((program.name, language), frozenset())


@needs_corpus
def test_each_limit_shows_somewhere() -> None:
    """Delete a limit that no program needs."""
    # Random programs, programs for aws and programs with components need these.
    elsewhere = {"defaults-in-lists", "loops-wait-first", "references-in-outputs"}
    elsewhere |= {"defaults-of-objects", "resources-as-outputs"}  # tests/test_made_up_answers.py
    elsewhere |= {"values-of-enums"}  # tests/test_closed_texts.py
    assert {name for names in SHOWN.values() for name in names} | elsewhere == {limit.name for limit in LIMITS}
    table = (ROOT / "pclgen" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [limit.name for limit in LIMITS if f"| {limit.name} |" not in table] == []
    for (_, language), names in SHOWN.items():
        assert all(language in limit.languages for limit in LIMITS if limit.name in names)
