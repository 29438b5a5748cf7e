"""The field programs: realistic programs over published packages, as they come out in each language.

The programs are `tests/cases/field/<program>/`, copies of those of the shared corpus.  The schemas of the packages are only
there.  Whether the results compile is told in `test_corpus_generate` and `test_conformance_go`.
"""

from __future__ import annotations

from functools import cache

import pytest
from syrupy.assertion import SnapshotAssertion

import pclgen
from pclgen.schema.load import SchemaStore
from tests.support.corpus import CORPUS, ROOT, needs_corpus
from tests.support.generated import LANGUAGES, REAL_SCHEMAS
from tests.support.generation import SOURCE_NOTE, assert_source_note
from tests.support.snapshots import assert_files, orphans

CASES = ROOT / "tests" / "cases" / "field"
PROGRAMS = {path.name: path for path in sorted(CASES.iterdir())}


@cache
def store() -> SchemaStore:
    """The schemas of the published packages, read once."""
    return SchemaStore([REAL_SCHEMAS])


@needs_corpus
@pytest.mark.parametrize("name", PROGRAMS)
def test_generated_as_before(snapshot: SnapshotAssertion, name: str) -> None:
    result = pclgen.generate(PROGRAMS[name], store=store(), program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    for language in LANGUAGES:
        assert_files(snapshot, f"field/{name}/{language}", {str(p): t for p, t in result.files[language].items()})


@pytest.mark.parametrize("name", PROGRAMS)
def test_snapshot_names_its_source(snapshot: SnapshotAssertion, name: str) -> None:
    assert_source_note(snapshot, f"field/{name}", PROGRAMS[name])


def test_no_snapshot_without_a_program() -> None:
    assert orphans("field", PROGRAMS) == []
    for name in PROGRAMS:
        assert orphans(f"field/{name}", [*LANGUAGES, SOURCE_NOTE]) == []


@needs_corpus
def test_the_programs_are_those_of_the_corpus() -> None:
    def contents(folder: str) -> dict[str, bytes]:
        root = {"ours": CASES, "corpus": CORPUS / "field"}[folder]
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    assert contents("ours") == contents("corpus")
