"""Types from other folders, packages and packs in labels: `./types/Size`, `network/types/Size`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.cli import app
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program, program_in_memory
from tests.support.files import write_files
from tests.support.generated import LANGUAGES
from tests.support.packages import manifest

TYPES = """
type "Size" "'small' | 'large'" {
  description = "How large a machine is."
}
type "Machine" "object({ size = Size, name = string(minLength=1) })" {
}
"""
VPC = """
config machines "list(../types/Machine)" {
}
output names {
  value = [for m in machines : m.name]
}
"""
MAIN = """
config size "./types/Size" {
  default = "small"
}
component web "./vpc" {
  machines = [{ size = size, name = "x" }]
}
output names {
  value = web.names
}
"""
PROGRAM = {"main.pp": MAIN, "vpc/main.pp": VPC, "types/main.pp": TYPES}


def diagnostics_of(files: dict[str, str]) -> list[tuple[str, str]]:
    """The code and place of each diagnostic of an in-memory program."""
    diagnostics = pipeline.check(program_in_memory("it", files), store=SchemaStore()).diagnostics
    places = [(diagnostic.code, diagnostic.primary) for diagnostic in diagnostics]
    return [(code, f"{at.file.name}:{at.start_position.line}:{at.start_position.column}") for code, at in places if at]


def test_a_folder_of_types() -> None:
    assert diagnostics_of(PROGRAM) == []
    own = {"main.pp": MAIN.replace("./types/Size", "Size") + TYPES, "vpc/main.pp": VPC.replace("../types/", "") + TYPES}
    store = SchemaStore()
    built = pipeline.generate(program_in_memory("it", PROGRAM), languages=LANGUAGES, store=store)
    copied = pipeline.generate(program_in_memory("it", own), languages=LANGUAGES, store=store)
    assert built.ok
    shifted = {language: {p: t.replace("main.pp:", "") for p, t in files.items()} for language, files in built.files.items()}
    again = {language: {p: t.replace("main.pp:", "") for p, t in files.items()} for language, files in copied.files.items()}
    assert shifted == again


@pytest.mark.parametrize(
    ("label", "code", "place"),
    [
        ("./types/Sise", "PCL0211", "main.pp:2:14"),
        ("./types/string", "PCL0211", "main.pp:2:14"),
        ("./typos/Size", "PCL0705", "main.pp:2:14"),
        ("list(./types/Sise)", "PCL0211", "main.pp:2:19"),
        ("map(list(./typos/Size))", "PCL0705", "main.pp:2:23"),
        ("../../types/Size", "PCL0705", "main.pp:2:14"),
        ("./types/", "PCL0211", "main.pp:2:14"),
        ("/types/Size", "PCL0211", "main.pp:2:14"),
        ("./types/Size(minimum=1)", "PCL0210", "main.pp:2:26"),
        ("string/number", "PCL0705", "main.pp:2:14"),
    ],
)
def test_types_that_are_none(label: str, code: str, place: str) -> None:
    diagnostics = diagnostics_of({**PROGRAM, "main.pp": MAIN.replace("./types/Size", label).replace('default = "small"', "")})
    assert diagnostics == [(code, place)]


def test_types_of_types() -> None:
    """A folder of types may use another folder, relative to itself."""
    far = TYPES.replace('"Size" "\'small\' | \'large\'"', '"Size" "../../sizes/Size"')
    files = {"main.pp": MAIN.replace("./types", "./far/types"), "vpc/main.pp": VPC.replace("../types", "../far/types")}
    assert diagnostics_of({**files, "far/types/main.pp": far, "sizes/main.pp": "type \"Size\" \"'small' | 'large'\" {\n}\n"}) == []
    cycle = 'type "Size" "../far/types/Size" {\n}\n'
    assert diagnostics_of({**files, "far/types/main.pp": far, "sizes/main.pp": cycle}) == [("PCL0218", "sizes/main.pp:1:14")]


def test_errors_in_a_type_are_reported_once_at_their_place() -> None:
    assert diagnostics_of({**PROGRAM, "types/main.pp": TYPES.replace("string(", "strng(")}) == [("PCL0211", "types/main.pp:5:46")]


def test_a_component_is_a_folder_of_types_too() -> None:
    files = {"main.pp": MAIN.replace("./types/Size", "./vpc/Size"), "vpc/main.pp": VPC.replace("../types/", "") + TYPES}
    assert diagnostics_of(files) == []


def test_values_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, PROGRAM)
    assert app.main(["evaluate", str(tmp_path), "--config", "size=huge"]) == 1
    assert 'config size: must be one of "small", "large", and is "huge"' in capsys.readouterr().err
    assert app.main(["config", "schema", str(tmp_path)]) == 0
    assert '"small"' in capsys.readouterr().out


LIBRARY = {
    "pclgen.toml": manifest("network", "1.2.0", exports='["vpc", "types"]'),
    "vpc/main.pp": VPC,
    "types/main.pp": TYPES,
    ".git/HEAD": "",
}
USER = MAIN.replace("./types/Size", "network/types/Size").replace('"./vpc"', '"network/vpc"')


@pytest.mark.parametrize("is_archive", [True, False])
def test_types_of_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_archive: bool) -> None:
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    write_files(tmp_path / "network", LIBRARY)
    write_files(tmp_path / "app", {"main.pp": USER, ".git/HEAD": "", "pclgen.toml": ""})
    monkeypatch.chdir(tmp_path / "app")
    if is_archive:
        assert app.main(["deps", "publish", "--project", "../network", "--out", ".", "--quiet"]) == 0
        shutil.rmtree(tmp_path / "network")
    place = "network-1.2.0.tar.gz" if is_archive else "../network"
    assert app.main(["deps", "add", "network", "--path", place, "--quiet"]) == 0
    assert app.main(["check", "main.pp"]) == 0
    (tmp_path / "app/main.pp").write_text(USER.replace("network/types/Size", "network/sizes/Size"))
    capsys.readouterr()
    assert app.main(["check", "main.pp", "--output-format", "json"]) == 1
    assert [diagnostic["code"] for diagnostic in json.loads(capsys.readouterr().out)["diagnostics"]] == ["PCL1602"]


def test_they_travel_with_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack needs no folders, neither as a program nor as a component, which is bound again."""
    write_files(tmp_path / "home", {**PROGRAM, ".git/HEAD": ""})
    monkeypatch.chdir(tmp_path)
    store = SchemaStore()
    at_home = pipeline.generate(load_program("home"), languages=LANGUAGES, store=store)
    write_files(tmp_path / "far", {"use/main.pp": MAIN.replace("./types/Size", "string").replace("./vpc", "../vpc.mupack.json")})
    write_files(tmp_path / "far", {".git/HEAD": "", "size.pp": 'config s "./it.mupack.json/Size" {\n}\n'})
    assert app.main(["pack", "home", "--out", "far/it.mupack.json"]) == 0
    assert app.main(["pack", "home/vpc", "--out", "far/vpc.mupack.json"]) == 0
    shutil.rmtree(tmp_path / "home")
    built = pipeline.generate(load_program("far/it.mupack.json"), languages=LANGUAGES, store=store)
    assert built.files == at_home.files
    assert pipeline.check(load_program("far/use"), store=store).diagnostics == ()
    (diagnostic,) = pipeline.check(load_program("far/size.pp"), store=store).diagnostics
    assert diagnostic.code == "PCL0211"  # the program itself names no types


def test_a_build_sees_another_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, {**PROGRAM, ".git/HEAD": ""})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    build = ["build", ".", "--language", "python", "--manifest", "it.json", "--depfile", "it.d"]
    for expected, text in (("1 generated", TYPES), ("1 unchanged", TYPES), ("1 generated", TYPES.replace("large", "big"))):
        write_files(tmp_path, {"types/main.pp": text})
        capsys.readouterr()
        assert app.main(build) == 0
        output = capsys.readouterr()
        assert expected in output.out + output.err
    assert "types/main.pp" in (tmp_path / "it.d").read_text()
