"""The examples: clean under check, laid out canonically, generated in every language as their snapshots show.

`test_generated_code.py` compiles what they become.  `test_examples_installed.py` is about those that find their schemas in
installed SDKs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import pclgen
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES, LANGUAGES, example_programs, installed_programs
from tests.support.generation import SOURCE_NOTE, assert_generated, assert_source_note
from tests.support.snapshots import orphans

PROGRAMS = example_programs()
EXAMPLE_FILES = sorted(EXAMPLES.rglob("*.pp"))


def test_there_is_one_for_each_kind_of_user() -> None:
    assert set(PROGRAMS) == {"web-service", "random-password", "converted-network"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_to_say(name: str) -> None:
    result = pclgen.check(PROGRAMS[name], schemas=[EXAMPLE_SCHEMAS])
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    assert result.program is not None


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_layout_is_canonical(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert pclgen.format_text(text).text == text


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, language) for name in PROGRAMS for language in LANGUAGES],
)
def test_generated_as_before(snapshot: SnapshotAssertion, name: str, language: str) -> None:
    case = f"examples/{name}"
    assert_generated(snapshot, case, PROGRAMS[name], language, schemas=[EXAMPLE_SCHEMAS], program_only=False)


@pytest.mark.parametrize("name", PROGRAMS)
def test_snapshot_names_its_source(snapshot: SnapshotAssertion, name: str) -> None:
    assert_source_note(snapshot, f"examples/{name}", PROGRAMS[name])


def test_no_snapshot_without_a_program() -> None:
    assert orphans("examples", [*PROGRAMS, *installed_programs()]) == []
    for name in PROGRAMS:
        assert orphans(f"examples/{name}", [*LANGUAGES, SOURCE_NOTE]) == []
