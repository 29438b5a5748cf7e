"""The programs that the peer stumbles over (`tests/cases/pain`), as they come out in each language.

What is wrong with those that are refused is a snapshot too: `diagnostics.txt`, as the command line shows it.  That the others
compile and do what they say is tested in `test_pain_generated` and `test_pain_runs`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import pclgen
from pclgen.schema.load import SchemaStore
from tests.support.binding import SCHEMAS
from tests.support.generated import LANGUAGES
from tests.support.generation import SOURCE_NOTE, assert_source_note
from tests.support.snapshots import assert_file, assert_files, orphans
from tests.test_pain_generated import PROGRAMS, REFUSED

DIAGNOSTICS = "diagnostics.txt"


@cache
def store() -> SchemaStore:
    """The schemas of the tests, read once."""
    return SchemaStore([SCHEMAS])


def sources(folder: Path) -> dict[str, str]:
    """The files of a program by their paths in it, so that messages do not say where the repository is."""
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.pp"))}


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - REFUSED))
def test_generated_as_before(snapshot: SnapshotAssertion, name: str) -> None:
    result = pclgen.generate(PROGRAMS[name], store=store(), program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    for language in LANGUAGES:
        assert_files(snapshot, f"pain/{name}/{language}", {str(p): t for p, t in result.files[language].items()})


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_as_before(snapshot: SnapshotAssertion, name: str) -> None:
    result = pclgen.generate(sources(PROGRAMS[name]), store=store(), program_only=True)
    assert all(not files for files in result.files.values())
    assert_file(snapshot, f"pain/{name}/{DIAGNOSTICS}", pclgen.render_diagnostics(result.diagnostics))


@pytest.mark.parametrize("name", PROGRAMS)
def test_snapshot_names_its_source(snapshot: SnapshotAssertion, name: str) -> None:
    assert_source_note(snapshot, f"pain/{name}", PROGRAMS[name])


def test_no_snapshot_without_a_program() -> None:
    assert orphans("pain", PROGRAMS) == []
    for name in PROGRAMS:
        made = [DIAGNOSTICS] if name in REFUSED else LANGUAGES
        assert orphans(f"pain/{name}", [*made, SOURCE_NOTE]) == []
