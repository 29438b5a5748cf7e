"""One small program for each construct of the language, over the test package `probe`, with its code in each language.

The programs are `tests/cases/programs/<construct>.pp`, or a directory where the construct needs several files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.testing.program import PclProgram
from pclgen.testing.snapshots import FileSnapshots
from tests.support.binding import SCHEMAS
from tests.support.corpus import ROOT
from tests.support.notes import assert_folders

CASES = ROOT / "tests" / "cases" / "programs"
PROGRAMS = {path.stem: path for path in sorted(CASES.iterdir()) if path.suffix == ".pp" or path.is_dir()}


@pytest.fixture(scope="module")
def pcl_store() -> SchemaStore:
    """The schemas of the tests."""
    return SchemaStore([SCHEMAS])


@pytest.mark.pclgen("programs/*", "programs/*.pp", base="cases", project_files=False)
def test_generated_as_before(pcl: PclProgram) -> None:
    pcl.check()


def test_each_snapshot_is_of_a_program_and_names_its_source(pcl_snapshots: FileSnapshots) -> None:
    assert_folders(pcl_snapshots, "programs", PROGRAMS)


def test_no_case_is_hidden_by_another() -> None:
    files = [path for path in CASES.iterdir() if path.suffix == ".pp" or path.is_dir()]
    assert len(files) == len(PROGRAMS)
    assert all(next(Path(path).rglob("*.pp"), None) for path in files if path.is_dir())
