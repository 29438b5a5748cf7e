"""Packs: programs that travel without their sources and schemas give the same results.

Each program of the corpora and of the examples is packed. Its pack is moved to an empty folder and read there by a store
without schemas.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final, get_args

import pytest
from jsonschema import Draft202012Validator

from pclgen import pipeline
from pclgen.cli import app
from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.diagnostics.formats import render
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.forms import DEFINITIONS, EXPRESSIONS, FORMS, NodeForm, json_schema
from pclgen.schema.load import SchemaStore
from pclgen.schema.recovery.source import InstalledSource
from pclgen.source.load import LoadedProgram, load_program
from pclgen.testing.snapshots import FileSnapshots
from pclgen.trace.json import dumps
from pclgen.types.declarations import Field
from tests.support import toolchains
from tests.support.conformance import programs as conformance_programs
from tests.support.corpus import CORPUS, ROOT, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES, LANGUAGES, REAL_SCHEMAS, example_programs, installed_programs
from tests.support.schema_parts import write_schemas
from tests.support.toolchains import go_variables, run

VALIDATOR: Final = Draft202012Validator(json.loads(json_schema()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program, the location of its schemas, and whether it is read leniently."""

    folder: Path
    schemas: tuple[Path, ...]
    lenient: bool = False


def cases() -> Iterator[tuple[str, Case]]:
    """All programs that bind."""
    for name, folder in example_programs().items():
        yield f"examples/{name}", Case(folder=folder, schemas=(EXAMPLE_SCHEMAS,))
    for folder in program_directories("field"):
        yield f"field/{folder.name}", Case(folder=folder, schemas=(REAL_SCHEMAS,))
    for name, program in conformance_programs() if CORPUS.is_dir() else ():
        yield name, Case(folder=program.folder, schemas=program.schemas, lenient=program.lenient)


CASES: Final = dict(cases())


def everything(sources: LoadedProgram, store: SchemaStore, language: str, *, lenient: bool) -> dict[str, object]:
    """The results of each phase for a program."""
    generated = pipeline.generate(sources, languages=[language], store=store, lenient=lenient)
    checked = pipeline.check(sources, store=store, lenient=lenient)
    diagnostics = {"generate": generated.diagnostics, "check": checked.diagnostics}
    results: dict[str, object] = {
        "texts": generated.files.get(language),
        "data": {str(path): place.read_bytes() for path, place in generated.data.get(language, {}).items()},
        "graph": pipeline.graph(sources, store=store, lenient=lenient, graph_format="json").text,
    }
    if checked.program is not None:
        inputs = pipeline.inputs_for_run(sources)
        run = pipeline.evaluate(sources, inputs, store=store, lenient=lenient)
        diagnostics["run"] = run.diagnostics
        here = str(sources.root.absolute())  # `cwd()` is the folder of a program, which is another for a pack
        results["trace"] = None if run.trace is None else dumps(run.trace).replace(here, "HERE")
    return results | {name: render(messages, "text", color=False, width=None) for name, messages in diagnostics.items()}


@pytest.fixture(scope="module")
def installed_schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The schemas of aws and kubernetes, as recovered from their installed SDKs."""
    [packages] = (toolchains.python(toolchains.Sdks.INSTALLED).home / "venv").glob("lib/python*/site-packages")
    schemas = tmp_path_factory.mktemp("schemas")
    write_schemas(InstalledSource([packages]), installed_programs().values(), schemas)
    return schemas


@pytest.mark.parametrize(("name", "language"), list(zip(installed_programs(), cycle(LANGUAGES))))
def test_examples_of_aws_and_kubernetes(
    name: str, language: str, installed_schemas: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(Case(folder=installed_programs()[name], schemas=(installed_schemas,)), language, tmp_path, monkeypatch)


@pytest.mark.parametrize(("name", "language"), list(zip(CASES, cycle(LANGUAGES))))
def test_a_pack_becomes_what_its_sources_become(
    name: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(CASES[name], language, tmp_path, monkeypatch)


def check(case: Case, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a program with its pack, each in its own folder; the languages take turns."""
    monkeypatch.chdir(case.folder)
    sources = load_program(".")
    pack = pipeline.pack(sources, store=SchemaStore(case.schemas), lenient=case.lenient)
    assert pack.data is not None, pack.diagnostics
    expected = everything(sources, SchemaStore(case.schemas), language, lenient=case.lenient)
    monkeypatch.chdir(tmp_path)
    Path("it.mupack.json").write_bytes(pack.data)
    assert everything(load_program("it.mupack.json"), SchemaStore(), language, lenient=case.lenient) == expected
    assert not [error.message for error in VALIDATOR.iter_errors(json.loads(pack.data))]
    again = pipeline.pack(load_program("it.mupack.json"), store=SchemaStore(), lenient=case.lenient)
    assert again.data == pack.data


# --- the form ----------------------------------------------------------------------------------------------------------


OMITTED: Final[dict[type, set[str]]] = {
    core.ObjectExpr: {"parts"},  # they follow from `items`
    prog.Program: {"pack"},  # the file that is read
    Diagnostic: {"fix"},
    # Fields of components have none of these.
    Field: {"answered", "plain", "deprecated", "const", "default", "replace_on_changes", "language"},
}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_no_field_is_forgotten(form: NodeForm) -> None:
    omitted = OMITTED.get(form.cls, set())
    assert sorted(name for name, _, _ in form.fields) == sorted({*form.cls.__struct_fields__} - omitted)


def test_no_class_is_forgotten() -> None:
    assert {form.cls for form in EXPRESSIONS} == {*get_args(core.Expr)} - {core.Invalid, core.Apply, core.All}
    assert {form.cls for form in DEFINITIONS} == {*get_args(prog.Node)}


# --- the command -------------------------------------------------------------------------------------------------------


PROGRAM: Final = """
config size int {
  default = 2
}
# Comments travel, too.
resource pet "random:index/randomPet:RandomPet" {
  length = size
  prefix = readFile("./prefix.txt")
  options {
    protect = true
  }
}
output name {
  value = "${pet.id}-${[for n in [1, 2] : n * size][0]}"
}
"""
SCHEMAS: Final = ("--schemas", str(EXAMPLE_SCHEMAS))


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack in a folder of its own."""
    home = tmp_path / "home" / "web"
    home.mkdir(parents=True)
    (home / "main.pp").write_text(PROGRAM)
    (home / "prefix.txt").write_text("from a file")
    (home / "Pulumi.yaml").write_text("name: shop\ndescription: Our shop\nauthor: Us\nlicense: MIT\n")
    monkeypatch.chdir(home)
    assert app.main(["pack", ".", "--out", str(tmp_path / "web.mupack.json"), *SCHEMAS]) == 0
    away = tmp_path / "away"
    away.mkdir()
    (tmp_path / "web.mupack.json").rename(away / "web.mupack.json")
    monkeypatch.chdir(away)
    return away / "web.mupack.json"


def test_every_command_takes_it(packed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["check", packed.name]) == 0
    assert app.main(["generate", packed.name, "--out", "out/{language}"]) == 0
    assert "protect=True" in Path("out/python/__main__.py").read_text()
    assert "# Comments travel, too." in Path("out/python/__main__.py").read_text()
    assert Path("out/go/prefix.txt").read_text() == "from a file"
    assert "name: shop" in Path("out/python/Pulumi.yaml").read_text()
    capsys.readouterr()
    assert app.main(["evaluate", packed.name]) == 0
    assert "from a file" in capsys.readouterr().out
    assert app.main(["graph", packed.name, "--format", "json"]) == 0
    assert '"pet"' in capsys.readouterr().out
    assert app.main(["config", "schema", packed.name]) == 0
    assert '"size"' in capsys.readouterr().out
    assert app.main(["generate", packed.name, "--dump-after", "bind"]) == 0
    Path("pclgen.toml").write_text('programs = ["*.mupack.json"]\n')
    assert app.main(["build", "--jobs", "1"]) == 0
    assert Path("build/web/go/main.go").read_text() == Path("out/go/main.go").read_text()
    capsys.readouterr()
    assert app.main(["build", "--jobs", "1", "--check"]) == 0


YAML: Final = """
name: shop
runtime: yaml
resources:
  pet:
    type: random:RandomPet
    properties:
      length: 3
outputs:
  name: ${pet.id}
"""


def test_a_program_in_yaml_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Pulumi.yaml").write_text(YAML)
    assert app.main(["pack", "Pulumi.yaml", "--out", "it.mupack.json", *SCHEMAS]) == 0
    assert app.main(["generate", "Pulumi.yaml", "--language", "go", "--out", "home", *SCHEMAS]) == 0
    assert app.main(["generate", "it.mupack.json", "--language", "go", "--out", "away"]) == 0
    assert Path("home/main.go").read_text() == Path("away/main.go").read_text()
    assert [file["name"] for file in json.loads(Path("it.mupack.json").read_text())["files"]] == ["Pulumi.yaml"]


def test_what_people_want_to_know_comes_first(packed: Path) -> None:
    pack = json.loads(packed.read_bytes())
    assert pack["about"] == {"description": "Our shop", "author": "Us", "license": "MIT"}
    assert [(dependency["name"], dependency["version"]) for dependency in pack["dependencies"]] == [("random", "4.21.1")]
    assert [*pack][:5] == ["format", "version", "digest", "edition", "name"]
    assert pack["files"][0]["name"] == "main.pp"


def test_only_the_members_that_are_used_are_there(packed: Path) -> None:
    (random,) = [package["schema"] for package in json.loads(packed.read_bytes())["packages"] if package["schema"]]
    there = [token for token, member in random["resources"].items() if member is not None]
    assert there == ["random:index/randomPet:RandomPet"]
    assert len(random["resources"]) > 1


def test_a_program_with_errors_gives_no_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.pp").write_text("a = b\n")
    assert app.main(["pack", ".", "--out", "it.mupack.json"]) == 1
    assert not Path("it.mupack.json").exists()


def test_a_lenient_pack_is_strict_when_it_is_read_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.pp").write_text('resource a "nowhere:index:Thing" {\n  size = 1\n}\n')
    assert app.main(["check", "."]) == 1
    strict = capsys.readouterr().out
    assert app.main(["pack", ".", "--lenient", "--out", "it.mupack.json"]) == 0
    capsys.readouterr()
    assert app.main(["check", "it.mupack.json"]) == 1
    assert capsys.readouterr().out == strict
    assert app.main(["check", "it.mupack.json", "--lenient"]) == 0


def test_the_same_bytes_from_any_hash_seed(packed: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "pclgen", "pack", ".", "--out", f"{tmp_path}/{seed}", *SCHEMAS]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=tmp_path / "home" / "web", env=environment, check=True, capture_output=True)
        assert (tmp_path / seed).read_bytes() == packed.read_bytes()


def test_functions_of_packs_travel_but_for_what_they_compute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES / "own-functions")
    assert app.main(["generate", "infra", "--allow-functions", "--out", f"{tmp_path}/home/{{language}}"]) == 0
    assert app.main(["pack", "infra", "--allow-functions", "--out", f"{tmp_path}/infra.mupack.json"]) == 0
    monkeypatch.chdir(tmp_path)
    assert app.main(["generate", "infra.mupack.json", "--out", "away/{language}"]) == 0
    for place in (tmp_path / "home").rglob("*.*"):
        if not place.name.startswith(".pclgen"):
            assert (tmp_path / "away" / place.relative_to(tmp_path / "home")).read_bytes() == place.read_bytes()
    capsys.readouterr()
    assert app.main(["evaluate", "infra.mupack.json"]) == 1
    assert "the pack does not contain the code of `acme::slug`" in capsys.readouterr().err


def test_functions_of_the_configuration_at_hand_are_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES / "own-functions")
    assert app.main(["evaluate", "infra", "--allow-functions", "--format", "json"]) == 0
    at_home = capsys.readouterr().out
    assert app.main(["pack", "infra", "--allow-functions", "--out", f"{tmp_path}/infra.mupack.json"]) == 0
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES / "own-functions" / "tools", "tools")
    Path("pclgen.toml").write_text('[functions]\nacme = "tools/functions.py:FUNCTIONS"\n', encoding="utf-8")
    capsys.readouterr()
    assert app.main(["evaluate", "infra.mupack.json", "--allow-functions", "--format", "json"]) == 0
    assert capsys.readouterr().out == at_home.replace("infra/main.pp", "main.pp")  # a pack names its files from its folder
    assert app.main(["evaluate", "infra.mupack.json"]) == 1
    text = capsys.readouterr().err
    assert "the code of `acme::slug` may not run" in text
    assert "--allow-functions allows it" in text
    # Functions whose implementation differs by language give other values there than here.
    changed = next(path for path in sorted(Path("tools").rglob("*.ts")))
    changed.write_text(changed.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    assert app.main(["evaluate", "infra.mupack.json", "--allow-functions"]) == 1
    assert "is not the function that the program was packed with" in capsys.readouterr().err


def test_a_walker_in_another_language(packed: Path, pcl_snapshots: FileSnapshots) -> None:
    folder = EXAMPLES / "pack-walker"
    for check in (["gofmt", "-l", "."], ["go", "vet", "./..."]):
        assert run(check, cwd=folder, env=go_variables()).strip() == ""
    pcl_snapshots.file("packs/walked.txt", run(["go", "run", ".", str(packed)], cwd=folder, env=go_variables()))


READ_IN_WORKERS: Final = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from pclgen.source.packed import outside_of

PACKS = [b'{"name": "a", "data": [{"path": "a.txt", "text": "a"}]}', b'{"name": "b"}', b"no pack"]


def read(data):
    return outside_of(data, "pack")[2].is_dir()


if __name__ == "__main__":
    for way in ("fork", "spawn"):
        with ProcessPoolExecutor(2, mp_context=get_context(way)) as pool:
            assert all(pool.map(read, PACKS * 2))
    assert all(map(read, PACKS))
"""


def test_folders_of_packs_end_with_the_processes_that_read_them(tmp_path: Path) -> None:
    script, scratch = tmp_path / "read.py", tmp_path / "scratch"
    script.write_text(READ_IN_WORKERS)
    scratch.mkdir()
    subprocess.run([sys.executable, script], env={**os.environ, "TMPDIR": str(scratch)}, check=True)
    assert list(scratch.glob("pclgen-pack-*")) == []
