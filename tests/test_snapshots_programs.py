"""One small program for each construct of the language, over the test package `probe`, as it comes out in each language.

The programs are `tests/cases/programs/<construct>.pp`, or a directory where the construct takes several files.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.support.corpus import ROOT
from tests.support.generated import LANGUAGES
from tests.support.generation import SOURCE_NOTE, assert_generated, assert_source_note
from tests.support.snapshots import orphans

CASES = ROOT / "tests" / "cases" / "programs"
SCHEMAS = ROOT / "tests" / "schemas"

PROGRAMS = {path.stem: path for path in sorted(CASES.iterdir()) if path.suffix == ".pp" or path.is_dir()}


def case_of(name: str) -> str:
    return f"programs/{name}"


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, language) for name in PROGRAMS for language in LANGUAGES],
)
def test_generated_as_before(snapshot: SnapshotAssertion, name: str, language: str) -> None:
    assert_generated(snapshot, case_of(name), PROGRAMS[name], language, schemas=[SCHEMAS], program_only=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_snapshot_names_its_source(snapshot: SnapshotAssertion, name: str) -> None:
    assert_source_note(snapshot, case_of(name), PROGRAMS[name])


def test_no_snapshot_without_a_program() -> None:
    assert orphans("programs", PROGRAMS) == []
    for name in PROGRAMS:
        assert orphans(case_of(name), [*LANGUAGES, SOURCE_NOTE]) == []


def test_no_case_is_hidden_by_another() -> None:
    files = [path for path in CASES.iterdir() if path.suffix == ".pp" or path.is_dir()]
    assert len(files) == len(PROGRAMS)
    assert all(next(Path(path).rglob("*.pp"), None) for path in files if path.is_dir())
