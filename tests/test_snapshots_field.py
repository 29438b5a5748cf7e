"""The field programs: realistic programs over published packages, and their generated code in each language.

The programs are `tests/cases/field/<program>/`, copies of those of the shared corpus.  The schemas of the packages are only
there.  `test_corpus_generate` and `test_conformance_go` check that the results compile.
"""

from __future__ import annotations

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.testing.program import PclProgram
from pclgen.testing.snapshots import FileSnapshots
from tests.support.corpus import CORPUS, ROOT, needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.notes import assert_folders

CASES = ROOT / "tests" / "cases" / "field"
PROGRAMS = {path.name: path for path in sorted(CASES.iterdir())}


@pytest.fixture(scope="module")
def pcl_store() -> SchemaStore:
    """The schemas of the published packages, read once."""
    return SchemaStore([REAL_SCHEMAS])


@needs_corpus
@pytest.mark.pclgen("field/*", base="cases", project_files=False)
def test_generated_as_before(pcl: PclProgram) -> None:
    pcl.check()


def test_each_snapshot_is_of_a_program_and_names_its_source(pcl_snapshots: FileSnapshots) -> None:
    assert_folders(pcl_snapshots, "field", PROGRAMS)


@needs_corpus
def test_the_programs_are_those_of_the_corpus() -> None:
    def contents(folder: str) -> dict[str, bytes]:
        root = {"ours": CASES, "corpus": CORPUS / "field"}[folder]
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    assert contents("ours") == contents("corpus")
