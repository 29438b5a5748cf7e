"""Packs as components: referenced by file, path, address and index; they contain everything they use."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pclgen import pipeline, project_store
from pclgen.cli import app
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.support.files import write_files
from tests.support.generated import EXAMPLE_SCHEMAS
from tests.support.packages import manifest, served
from tests.test_packs_hostile import sealed

SUBNET = 'config cidr string {\n}\noutput label string {\n  value = "subnet ${cidr}"\n}\n'
VPC = (
    "config cidr string {\n}\n"
    'component inner "../parts/subnet" {\n  cidr = cidr\n}\n'
    'component again "./subnet" {\n  cidr = "${cidr}!"\n}\n'
    'resource pet "random:index/randomPet:RandomPet" {\n  prefix = inner.label\n}\n'
    'output name string {\n  value = "${pet.id} ${again.label}"\n}\n'
)
LIBRARY = {"vpc/main.pp": VPC, "parts/subnet/main.pp": SUBNET, "vpc/subnet/main.pp": SUBNET.replace("subnet", "own")}
USE = 'component web "{source}" {{\n  cidr = "10.0.0.0/16"\n}}\noutput shown string {{\n  value = web.name\n}}\n'
EXPECTED = "web-pet-id own 10.0.0.0/16!"


def run(*argv: str) -> int:
    return app.main(list(argv))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with a library, whose pack lies apart from its sources."""
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    schemas = f"schemas = [{json.dumps(str(EXAMPLE_SCHEMAS))}]\n"
    write_files(tmp_path / "lib", {**LIBRARY, ".git/HEAD": "", "pclgen.toml": schemas})
    write_files(tmp_path / "app", {".git/HEAD": "", "pclgen.toml": schemas})
    pack(tmp_path / "lib/vpc", tmp_path / "app/vpc.mupack.json", "--package", "network@1.0.6")
    shutil.rmtree(tmp_path / "lib")
    monkeypatch.chdir(tmp_path / "app")
    yield tmp_path


def pack(folder: Path, out: Path, *more: str) -> None:
    assert run("pack", str(folder), "--out", str(out), *more) == 0


def codes(capsys: pytest.CaptureFixture[str], *argv: str) -> list[tuple[str, str]]:
    """The codes and messages of the diagnostics of a command."""
    capsys.readouterr()
    run(*argv, "--output-format", "json")
    return [(diagnostic["code"], diagnostic["message"]) for diagnostic in json.loads(capsys.readouterr().out)["diagnostics"]]


def shown(capsys: pytest.CaptureFixture[str], program: str = "main.pp") -> str:
    capsys.readouterr()
    assert run("evaluate", program) == 0
    return capsys.readouterr().out


def test_a_pack_is_named_by_its_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "app", {"main.pp": USE.format(source="./vpc.mupack.json")})
    trace = shown(capsys)
    assert EXPECTED in trace
    assert "vpc.mupack.json/main.pp:3:11" in trace
    assert "components:index:Vpc" in trace
    assert run("graph", "main.pp") == 0


def test_it_is_the_same_as_from_the_folder(place: Path) -> None:
    source = VPC.replace('component again "./subnet"', 'component again "../parts/subnet"')
    library = {"vpc/main.pp": source, "parts/subnet/main.pp": SUBNET, ".git/HEAD": "", "pclgen.toml": ""}
    write_files(place / "home", {"app/main.pp": USE.format(source="../vpc"), **library})
    store = SchemaStore([EXAMPLE_SCHEMAS])
    languages = ("python", "typescript", "go")
    at_home = pipeline.generate(load_program(str(place / "home/app/main.pp")), languages=languages, store=store)
    pack(place / "home/vpc", place / "app/vpc.mupack.json", "--schemas", str(EXAMPLE_SCHEMAS))
    write_files(place / "app", {"main.pp": USE.format(source="./vpc.mupack.json")})
    result = pipeline.generate(load_program("main.pp"), languages=languages, store=store)
    assert result.ok
    assert result.files == at_home.files


@pytest.mark.parametrize("kind", ["path", "index", "served", "url"])
def test_a_pack_is_a_package(place: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    write_files(place / "app", {"main.pp": USE.format(source="network")})
    if kind == "path":
        assert run("deps", "add", "network", "--path", "vpc.mupack.json", "--quiet") == 0
        assert EXPECTED in shown(capsys)
        return
    assert run("deps", "publish", "vpc.mupack.json", "--index", "../index", "--quiet") == 0
    (place / "app/vpc.mupack.json").unlink()
    index = json.loads((place / "index/index.json").read_text())
    assert index["packages"]["network"][0]["file"] == "network-1.0.6.mupack.json"
    assert list(index["packages"]["network"][0]["providers"]) == ["random"]
    before = (place / "app/pclgen.toml").read_text()
    with served(place / "index") as (address, _):
        match kind:
            case "url":
                argv = ["network", "--url", f"{address}/network-1.0.6.mupack.json"]
            case "served":
                (place / "app/pclgen.toml").write_text(f'indexes = ["{address}"]\n{before}')
                argv = ["network"]
            case _:
                (place / "app/pclgen.toml").write_text(f'indexes = ["../index"]\n{before}')
                argv = ["network@^1.0"]
        assert run("deps", "add", *argv, "--quiet") == 0
    shutil.rmtree(place / "index")
    trace = shown(capsys)  # offline, because it is locked
    assert EXPECTED in trace
    assert "network@1.0.6/main.pp:3:11" in trace


def test_a_pack_uses_packs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pack contains the components that it uses, whether they come from a folder, a pack, or a package."""
    assert run("deps", "add", "network", "--path", "vpc.mupack.json", "--quiet") == 0
    text = (
        'component one "network" {\n  cidr = "1"\n}\ncomponent two "./vpc.mupack.json" {\n  cidr = "2"\n}\n'
        'output name string {\n  value = "${one.name} & ${two.name}"\n}\n'
    )
    write_files(place / "app", {"both/main.pp": text.replace("./vpc", "../vpc")})
    pack(place / "app/both", place / "far/both.mupack.json")
    write_files(place / "far", {".git/HEAD": "", "main.pp": USE.replace("  cidr = ", "  # ").format(source="./both.mupack.json")})
    shutil.rmtree(place / "app/both")
    (place / "far/pclgen.toml").write_text((place / "app/pclgen.toml").read_text().partition("[dep")[0])
    assert "web-one-pet-id own 1! & web-two-pet-id own 2!" in shown(capsys, str(place / "far/main.pp"))


def test_the_manifest_names_an_export(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = {"pclgen.toml": manifest("tools", "2.1.0", exports='{ "." = "all", vpc = "parts/subnet" }'), ".git/HEAD": ""}
    write_files(place / "lib", {**own, "all/main.pp": SUBNET, "parts/subnet/main.pp": SUBNET, "rest/main.pp": SUBNET})
    names = {}
    for folder in ("all", "parts/subnet", "rest"):
        pack(place / "lib" / folder, place / "it.mupack.json")
        about = json.loads((place / "it.mupack.json").read_bytes())["about"]
        names[folder] = (about.get("package"), about.get("version"))
    assert names == {"all": ("tools", "2.1.0"), "parts/subnet": ("vpc", "2.1.0"), "rest": (None, None)}
    assert run("deps", "publish", str(place / "it.mupack.json"), "--out", str(place)) == 0
    assert "rest-0.0.0.mupack.json" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["network", "network@x", "@1.0.0", "a b@1.0.0", "../up@1.0.0"])
def test_names_that_are_none(place: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    write_files(place / "app", {"main.pp": SUBNET})
    assert run("pack", "main.pp", "--package", text) == 2
    assert "write NAME@VERSION" in capsys.readouterr().err


def test_the_versions_of_providers_that_it_was_packed_with_count(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "app", {"main.pp": USE.format(source="network"), "vpc.mupack.json": changed(place, older)})
    assert run("deps", "add", "network", "--path", "vpc.mupack.json", "--quiet") == 0
    diagnostics = codes(capsys, "check", "main.pp")
    assert [code for code, _ in diagnostics] == ["PCL1609"]


def test_a_build_sees_another_pack(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "app", {"site/main.pp": USE.format(source="../vpc.mupack.json")})
    build = ["build", "site", "--language", "python", "--output-format", "text", "--manifest", "../it.json", "--depfile", "../it.d"]
    for expected in ("1 generated", "1 unchanged"):
        capsys.readouterr()
        assert run(*build) == 0
        captured = capsys.readouterr()
        assert expected in captured.out + captured.err
    assert "vpc.mupack.json" in (place / "it.d").read_text()
    write_files(place / "app", {"vpc.mupack.json": changed(place, other_prefix)})
    assert run(*build) == 0
    assert any('prefix="other"' in path.read_text() for path in (place / "app").rglob("vpc.py"))


def changed(place: Path, change: Callable[[Any], None]) -> str:
    content = json.loads((place / "app/vpc.mupack.json").read_bytes())
    change(content)
    return sealed(content).decode()


def older(content: Any) -> None:
    content["dependencies"][0]["version"] = "1.0.0"


def other_prefix(content: Any) -> None:
    for file in content["files"]:
        file["text"] = file["text"].replace("prefix = inner.label", 'prefix = "other"')


def no_texts(content: Any) -> None:
    del content["program"]["texts"]


def far_text(content: Any) -> None:
    content["program"]["texts"] = [99]


def far_component(content: Any) -> None:
    next(use for use in content["program"]["definitions"] if use["kind"] == "ComponentUse")["component"] = -1


def yaml(content: Any) -> None:
    for file in content["files"]:
        file["name"] = file["name"].replace("main.pp", "Main.yaml")


def twice(content: Any) -> None:
    content["program"]["texts"] *= 2


def one_path(content: Any) -> None:
    for component in content["components"]:
        component["path"] = "x"


def absolute(content: Any) -> None:
    content["components"][0]["path"] = "/etc"


def drive(content: Any) -> None:
    content["components"][0]["path"] = "C:\\x"


def no_path(content: Any) -> None:
    content["components"][0]["path"] = 7


def no_name(content: Any) -> None:
    content["about"]["package"] = "../up"


def no_version(content: Any) -> None:
    content["about"]["version"] = "seven"


def no_provider_version(content: Any) -> None:
    content["dependencies"][0]["version"] = "x.y"


def wrong(content: Any) -> None:
    content["program"] = None


HOSTILE: dict[Callable[[Any], None], str] = {
    no_texts: "an older pclgen wrote it",
    far_text: "there is no entry 99",
    far_component: "there is no entry -1",
    yaml: "is not PCL",
    twice: "is in it twice",
    one_path: "two of its components have the same path",
    absolute: "`/etc` is no path of a component",
    drive: "is no path of a component",
    no_path: "it is no pack",
    no_name: "`../up` is no name of a package",
    no_version: "`seven` is not a version",
    no_provider_version: "`x.y` is not a version of a provider",
    wrong: "has mistakes unless it is read leniently",
}


@pytest.mark.parametrize("change", HOSTILE, ids=lambda change: change.__name__)
def test_packs_that_are_no_component(place: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Any], None]) -> None:
    write_files(place / "app", {"main.pp": USE.format(source="./vpc.mupack.json"), "vpc.mupack.json": changed(place, change)})
    assert [code for code, _ in codes(capsys, "check", "main.pp")] == ["PCL0705"]
    assert HOSTILE[change] in label(capsys)
    assert [code for code, _ in codes(capsys, "deps", "add", "network", "--path", "vpc.mupack.json")] == ["PCL1608"]
    assert run("deps", "publish", "vpc.mupack.json") == 1
    assert HOSTILE[change] in capsys.readouterr().err


def label(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    run("check", "main.pp")
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", '{"format": "mupack", "version": 9}'])
def test_files_that_are_no_packs(place: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    write_files(place / "app", {"main.pp": USE.format(source="./vpc.mupack.json"), "vpc.mupack.json": text})
    assert [code for code, _ in codes(capsys, "check", "main.pp")] == ["PCL0705"]


def test_a_pack_stays_inside_of_the_repository(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.move(place / "app/vpc.mupack.json", place / "vpc.mupack.json")
    write_files(place / "app", {"main.pp": USE.format(source="../vpc.mupack.json")})
    assert [code for code, _ in codes(capsys, "check", "main.pp")] == ["PCL0705"]
    assert "lies outside of the repository" in label(capsys)
    (place / "app/in.mupack.json").symlink_to(place / "vpc.mupack.json")
    write_files(place / "app", {"main.pp": USE.format(source="./in.mupack.json")})
    assert "lies outside of the repository" in label(capsys)


def test_errors_of_a_use_are_reported_at_its_place(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = USE.format(source="./vpc.mupack.json").replace("cidr", "cird").replace("web.name", "web.names")
    write_files(place / "app", {"main.pp": text})
    diagnostics = codes(capsys, "check", "main.pp")
    assert len(diagnostics) >= 2
    assert "vpc.mupack.json/main.pp" not in json.dumps(diagnostics)


def test_projects_find_it_by_the_store(place: Path) -> None:
    """The library accepts a pack as the command line does."""
    write_files(place / "app", {"main.pp": USE.format(source="./vpc.mupack.json")})
    store = project_store(place / "app")
    assert pipeline.check(load_program("main.pp"), store=store).ok
