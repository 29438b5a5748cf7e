"""The examples: no diagnostics from check, formatted, generated in every language as their snapshots show.

`test_generated_code.py` compiles the results.  `test_examples_installed.py` tests the examples that find their schemas in
installed SDKs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import pclgen
from pclgen.schema.load import SchemaStore
from pclgen.testing.program import PclProgram
from pclgen.testing.snapshots import FileSnapshots
from tests.support.compilers import check_go, check_python, check_typescript
from tests.support.files import write_files
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES, LANGUAGES, example_programs, installed_programs
from tests.support.notes import assert_folders

PROGRAMS = example_programs()
EXAMPLE_FILES = sorted(EXAMPLES.rglob("*.pp"))


def test_there_is_one_for_each_kind_of_user() -> None:
    assert set(PROGRAMS) == {"web-service", "random-password", "converted-network", "pets"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_to_say(name: str) -> None:
    result = pclgen.check(PROGRAMS[name], schemas=[EXAMPLE_SCHEMAS])
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    assert result.program is not None


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_layout_is_canonical(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert pclgen.format_text(text).text == text


@pytest.fixture(scope="module")
def pcl_store() -> SchemaStore:
    """The schemas beside the examples."""
    return SchemaStore([EXAMPLE_SCHEMAS])


@pytest.mark.pclgen(*[f"examples/{name}" for name in PROGRAMS], base="..")
def test_generated_as_before(pcl: PclProgram) -> None:
    pcl.check()


def test_each_snapshot_is_of_a_program_and_names_its_source(pcl_snapshots: FileSnapshots) -> None:
    assert_folders(pcl_snapshots, "examples", PROGRAMS, others=installed_programs())


def test_checked_sizes(tmp_path: Path) -> None:
    """Types of a team, a component that takes them, a policy: no diagnostics, compiled, errors as in the README."""
    home = EXAMPLES / "checked-sizes"
    store = pclgen.project_store(home, cache=False)
    result = pclgen.generate(home / "site", languages=LANGUAGES, store=store)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    checks: Mapping[str, Callable[[Mapping[str, Path]], Mapping[str, list[str]]]] = {
        "python": check_python,
        "typescript": check_typescript,
        "go": check_go,
    }
    for language, files in result.files.items():
        write_files(tmp_path / language, files)
        assert checks[language]({"site": tmp_path / language}) == {"site": []}
    texts = {path.relative_to(home).as_posix(): path.read_text() for path in home.rglob("*.pp")}
    for old, new, message in (
        ("port = 6379", "port = 99999", "must be at most 65535"),
        ('default = "medium"', 'default = "huge"', 'must be one of "small", "medium", "large"'),
        ('label = "cache"', 'label = "Cache!"', "must match"),
        ('protocol = "tcp", sources = ["', 'protocol = "icmp", sources = ["', 'must be one of "tcp", "udp"'),
    ):
        site = re.sub(r" +", " ", texts["site/main.pp"]).replace(old, new).replace("../", "./")
        assert new in site
        program = {"main.pp": site, "types/main.pp": texts["types/main.pp"], "machine/main.pp": texts["machine/main.pp"]}
        diagnostics = pclgen.check(program, store=store).diagnostics
        assert [diagnostic.code for diagnostic in diagnostics] == ["PCL0219"]
        assert message in diagnostics[0].message
