"""The package as a library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import pclgen
from tests.support.binding import SCHEMAS

PROGRAM = {
    "main.pp": 'component web "./web" {\n  label = "a"\n}\noutput o {\n  value = web.out\n}\n',
    "web/main.pp": 'config label string {}\nresource r "probe:index:Thing" {\n  label = label\n}\n'
    "output out {\n  value = r.out\n}\n",
}


def test_a_program_in_memory_is_checked_with_its_components() -> None:
    result = pclgen.check(PROGRAM, schemas=[SCHEMAS], name="site")
    assert result.diagnostics == ()
    assert result.program is not None
    assert result.program.name == "site"


def test_a_mistake_has_a_position_for_people() -> None:
    result = pclgen.check({"main.pp": "a = 1\nb = c\n"})
    (diagnostic,) = result.diagnostics
    assert diagnostic.severity is pclgen.Severity.ERROR
    assert diagnostic.primary is not None
    assert diagnostic.primary.start_position == pclgen.Position(2, 5, 10)
    assert result.program is None
    assert "b = c" in pclgen.render_diagnostics(result.diagnostics)


def test_one_store_serves_many_programs() -> None:
    store = pclgen.SchemaStore([SCHEMAS])
    for _ in range(2):
        assert pclgen.check(PROGRAM, store=store).diagnostics == ()


def test_paths_cannot_leave_the_program() -> None:
    with pytest.raises(pclgen.LoadError):
        pclgen.check({"../main.pp": "a = 1\n"})


def test_a_missing_program_is_a_load_error(tmp_path: Path) -> None:
    with pytest.raises(pclgen.LoadError):
        pclgen.check(tmp_path / "nothing")


def test_every_exported_name_exists() -> None:
    for name in pclgen.__all__:
        assert getattr(pclgen, name) is not None


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, pclgen; print([m for m in ('lark', 'networkx', 'jinja2', 'black', 'msgspec') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_results_say_whether_all_went_well() -> None:
    fine, wrong, warned = {"main.pp": "a = 1\n"}, {"main.pp": "a = b\n"}, {"main.pp": 'package "probe" {}\n'}
    for result in (pclgen.check(fine), pclgen.generate(fine), pclgen.evaluate_program(fine), pclgen.format_text("a = 1\n")):
        assert result.ok
    for result in (pclgen.check(wrong), pclgen.generate(wrong), pclgen.evaluate_program(wrong), pclgen.format_text("a = (\n")):
        assert not result.ok
    with_warning = pclgen.check(warned)
    assert [d.severity for d in with_warning.diagnostics] == [pclgen.Severity.WARNING] and with_warning.ok


@pytest.mark.parametrize("as_text", [True, False])
def test_a_store_takes_directories_and_files(as_text: bool, tmp_path: Path) -> None:
    """Paths may be strings; `later` takes paths alone or in groups."""

    def place(path: Path) -> str | Path:
        return str(path) if as_text else path

    schema_path = next(SCHEMAS.glob("probe*"))
    stores = (
        pclgen.SchemaStore([place(SCHEMAS)]),
        pclgen.SchemaStore([place(schema_path)]),
        pclgen.SchemaStore([place(tmp_path)], later=[place(SCHEMAS)]),
        pclgen.SchemaStore([], later=[[place(tmp_path), place(SCHEMAS)]]),
    )
    for store in stores:
        assert pclgen.check(PROGRAM, store=store).diagnostics == ()
