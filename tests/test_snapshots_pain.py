"""The programs that the peer fails on (`tests/cases/pain`), and their generated code in each language.

The diagnostics of refused programs are a snapshot, too: `diagnostics.txt`, as the command line shows it.
`test_pain_generated` and `test_pain_runs` check that the others compile and run as expected.
"""

from __future__ import annotations

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.testing.program import PclProgram
from pclgen.testing.snapshots import FileSnapshots
from tests.support.binding import SCHEMAS
from tests.support.generated import LANGUAGES
from tests.support.notes import assert_folders
from tests.test_pain_generated import PROGRAMS, REFUSED


@pytest.fixture(scope="module")
def pcl_store() -> SchemaStore:
    """The schemas of the tests, read once."""
    return SchemaStore([SCHEMAS])


@pytest.mark.pclgen("pain/*", base="cases", exclude=[f"pain/{name}" for name in sorted(REFUSED)], project_files=False)
def test_generated_as_before(pcl: PclProgram) -> None:
    pcl.check()


@pytest.mark.pclgen(*[f"pain/{name}" for name in sorted(REFUSED)], base="cases", diagnostics=True, project_files=False)
def test_refused_as_before(pcl: PclProgram) -> None:
    """A program that one language cannot express may still work in others."""
    assert pcl.part in LANGUAGES or not pcl.generated.ok
    pcl.check()


def test_each_snapshot_is_of_a_program_and_names_its_source(pcl_snapshots: FileSnapshots) -> None:
    assert_folders(pcl_snapshots, "pain", PROGRAMS, refused=REFUSED)
