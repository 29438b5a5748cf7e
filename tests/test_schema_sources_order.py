"""The command line and the library query the sources of schemas in the documented order; each source also works alone."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pclgen.cli import app
from pclgen.protocol import rpc as protocol
from pclgen.schema import discovery
from pclgen.schema.cache import SchemaCache
from pclgen.schema.config import SourceKind
from pclgen.schema.discovery import Settings, find_project, open_store
from pclgen.schema.errors import BadSchema, NotFound
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from tests.support.fake_provider import SCHEMA, install, left_processes, pids_file
from tests.test_schema_loader import install_cli

PROGRAM = 'resource web "shop:index:Server" {\n  size = 3\n}\n'
SERVER = """\
import builtins as _builtins
import pulumi

__all__ = ['ServerArgs', 'Server']

@pulumi.input_type
class ServerArgs:
    def __init__(__self__, *, size: pulumi.Input[_builtins.int]):
        pulumi.set(__self__, "size", size)

    @_builtins.property
    @pulumi.getter
    def size(self) -> pulumi.Input[_builtins.int]:
        return pulumi.get(self, "size")


@pulumi.type_token("shop:index:Server")
class Server(pulumi.CustomResource):
    def _internal_init(__self__, resource_name, opts=None, size=None, __props__=None):
        super(Server, __self__).__init__('shop:index:Server', resource_name, __props__, opts)

    @_builtins.property
    @pulumi.getter
    def size(self) -> pulumi.Output[_builtins.int]:
        return pulumi.get(self, "size")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A project in which every source has package `shop`, each in its own version (the minor number names the source)."""

    program: Path
    schemas: Path
    project: Path
    sdk: Path
    plugin: Path
    cli: Path
    loader: str

    def settings(self) -> Settings:
        return Settings(schemas=(self.schemas,), sdk_folders=(self.sdk,), loader=self.loader, time_limit=20)

    def remove(self, number: int) -> None:
        """Remove the package from the source with this number in the documentation."""
        match number:
            case 1:
                next(self.schemas.glob("shop*")).unlink()
            case 2:
                next(self.project.glob("shop*")).unlink()
            case 3:
                next(self.sdk.glob("*/pulumi-plugin.json")).unlink()
            case 4:
                self.plugin.unlink()
            case 5:
                self.cli.unlink()
            case _:
                raise AssertionError(number)

    def store(self, settings: Settings | None = None) -> SchemaStore:
        """The store of a new run of pclgen."""
        return open_store(find_project(self.program.parent, settings or self.settings()), SchemaCache(None))


def schema(number: int) -> dict[str, Any]:
    return {**SCHEMA, "version": f"1.{number}.0"}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Every source at once."""
    program = tmp_path / "project" / "main.pp"
    program.parent.mkdir()
    program.write_text(PROGRAM)
    (tmp_path / "project" / ".git").mkdir()
    for number, folder in ((1, tmp_path / "given"), (2, tmp_path / "project" / "schemas")):
        folder.mkdir()
        (folder / f"shop-1.{number}.0.json").write_text(json.dumps(schema(number)))
    sdk = tmp_path / "site-packages" / "pulumi_shop"
    sdk.mkdir(parents=True)
    (sdk / "pulumi-plugin.json").write_text(json.dumps({"resource": True, "name": "shop", "version": "1.3.0"}))
    (sdk / "__init__.py").write_text("from .server import *\n")
    (sdk / "server.py").write_text(SERVER)
    binaries = tmp_path / "bin"
    plugin = install(binaries, schema=schema(4))
    cli = install_cli(binaries, output=json.dumps(schema(5)))
    monkeypatch.setenv("PATH", str(binaries), prepend=os.pathsep)
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "no pulumi"))
    monkeypatch.delenv("PCLGEN_SOURCES", raising=False)
    rpc = protocol.load()
    assert isinstance(rpc, protocol.Rpc)

    def get_schema(request: Any) -> Any:
        return rpc.message("codegen.GetSchemaResponse", schema=json.dumps(schema(6)).encode())

    with rpc.serve({"/codegen.Loader/GetSchema": get_schema}) as server:
        yield World(
            program=program,
            schemas=tmp_path / "given",
            project=tmp_path / "project" / "schemas",
            sdk=sdk.parent,
            plugin=plugin,
            cli=cli,
            loader=server.address,
        )
    assert left_processes(plugin) == []


def serving_source(world: World, settings: Settings | None = None) -> int:
    """The number of the source that serves the package."""
    answer = world.store(settings).find("shop")
    assert isinstance(answer, FoundPackage), answer
    return int(answer.package.version.split(".")[1])


def documented() -> list[tuple[int, str]]:
    """The numbered list in the documentation of the module that combines the sources."""
    return [(int(n), text) for n, text in re.findall(r"^    (\d)  (.+?)(?:  |$)", discovery.__doc__ or "", re.MULTILINE)]


def test_the_documented_order_is_the_order(world: World) -> None:
    numbers = [number for number, _ in documented()]
    assert numbers == [1, 2, 3, 4, 5, 6]
    served = []
    for number in numbers:
        served.append(serving_source(world))
        if number < 6:
            world.remove(number)
    assert served == numbers


def test_later_sources_sleep(world: World) -> None:
    assert serving_source(world) == 1
    for number in (1, 2):
        world.remove(number)
    assert serving_source(world) == 3
    assert not pids_file(world.plugin).exists() and not pids_file(world.cli).exists()


@pytest.mark.parametrize(
    ("kind", "number"), [(SourceKind.SDK, 3), (SourceKind.PLUGIN, 4), (SourceKind.CLI, 5), (SourceKind.LOADER, 6)]
)
def test_each_source_serves_alone(world: World, kind: SourceKind, number: int) -> None:
    settings = Settings(sources=(kind,), sdk_folders=(world.sdk,), loader=world.loader, time_limit=20)
    assert serving_source(world, settings) == number


def test_the_order_can_be_chosen(world: World) -> None:
    sources = (SourceKind.LOADER, SourceKind.CLI, SourceKind.FILES)
    settings = Settings(sources=sources, schemas=(world.schemas,), loader=world.loader, time_limit=20)
    assert serving_source(world, settings) == 6
    assert serving_source(world, Settings(sources=sources[1:], schemas=(world.schemas,), time_limit=20)) == 5


def test_a_wanted_version_is_looked_for_in_all(world: World) -> None:
    for number in (1, 2, 3, 4, 5, 6):
        answer = world.store().find("shop", f"1.{number}.0")
        assert isinstance(answer, FoundPackage) and answer.package.version == f"1.{number}.0"


def test_what_was_tried_is_listed_in_the_same_order(world: World) -> None:
    answer = world.store().find("shop", "9.9.9")
    assert isinstance(answer, NotFound)
    shapes = ["given", "schemas", "installed Python packages", "provider plugins", "bin/pulumi", "schema loader at"]
    assert len(answer.tried) == len(shapes)
    assert [shape for shape, tried in zip(shapes, answer.tried, strict=True) if shape not in tried] == []


def test_a_broken_plugin_is_not_passed_over(world: World) -> None:
    for number in (1, 2, 3):
        world.remove(number)
    install(world.plugin.parent, mode="crash")
    assert isinstance(world.store().find("shop"), BadSchema)


class TestCommandLine:
    def run(self, world: World, capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, Any]]:
        app.main(["check", str(world.program), "--output-format", "json", *more])
        items: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["diagnostics"]
        return items

    @pytest.fixture(autouse=True)
    def only_plugins(self, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for number in (1, 2, 3, 5):
            world.remove(number)
        monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))

    def test_a_plugin_on_path_serves(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(world, capsys) == []
        assert len(pids_file(world.plugin).read_text().split()) == 1

    def test_its_types_are_used(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        world.program.write_text(PROGRAM.replace("3", '"big"'))
        (item,) = self.run(world, capsys)
        assert item["severity"] == "error"

    def test_it_is_started_once_for_all_runs(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        for _ in range(3):
            assert self.run(world, capsys) == []
        assert len(pids_file(world.plugin).read_text().split()) == 1

    @pytest.mark.parametrize(
        ("mode", "reason"),
        [
            ("silent", "did not print its port within 1 s"),
            ("hang", " within 1 s"),
            ("crash", "ended with exit status 3"),
            ("rubbish", "must print its port first"),
            ("no json", "is no schema"),
        ],
    )
    def test_a_failure_is_one_diagnostic(
        self,
        world: World,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        mode: str,
        reason: str,
    ) -> None:
        install(world.plugin.parent, mode=mode)
        # Several uses of the package, one mistake.
        world.program.write_text(PROGRAM + PROGRAM.replace("web", "other"))
        monkeypatch.setenv("PCLGEN_TIME_LIMIT", "1" if mode in ("silent", "hang") else "20")
        (item,) = self.run(world, capsys)
        assert item["code"] == "PCL0313"
        notes = " ".join(note["message"] for note in item["notes"])
        assert str(world.plugin) in notes and reason in notes
        assert ("--time-limit" in item["help"]) is (mode in ("silent", "hang"))

    def test_components_do_not_tell_it_again(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        install(world.plugin.parent, mode="crash")
        inner = world.program.parent / "inner"
        inner.mkdir()
        (inner / "main.pp").write_text(PROGRAM)
        world.program.write_text(PROGRAM + 'component more "./inner" {\n}\n')
        (item,) = self.run(world, capsys)
        assert item["code"] == "PCL0313"

    def test_a_loader_serves(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        world.remove(4)
        assert self.run(world, capsys, "--loader", world.loader) == []

    def test_a_loader_that_is_not_there_is_one_diagnostic(
        self, world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world.remove(4)
        world.program.write_text(PROGRAM + PROGRAM.replace("web", "other"))
        monkeypatch.setenv("PCLGEN_LOADER", "127.0.0.1:1")
        (item,) = self.run(world, capsys)
        assert item["code"] == "PCL0313"
        assert item["notes"][0]["message"].startswith("the schema loader at 127.0.0.1:1: the service gave no usable answer")

    def test_what_the_cli_says_is_passed_on(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        world.remove(4)
        install_cli(world.cli.parent, output="", errors="error: no network\n", status=255)
        (item,) = self.run(world, capsys)
        assert item["code"] == "PCL0302"
        assert "the Pulumi CLI says: no network" in item["notes"][0]["message"]

    def test_a_parameterized_package(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        package = {**SCHEMA, "name": "sub", "version": "2.0.0", "resources": {"sub:index:Red": {}}}
        package["parameterization"] = {"baseProvider": {"name": "shop", "version": "1.4.0"}, "parameter": "cmVk"}
        install(world.plugin.parent, schema=schema(4), packages={"red": package})
        world.program.write_text("""\
package {
  baseProviderName    = "shop"
  baseProviderVersion = "1.4.0"
  parameterization {
    name    = "sub"
    version = "2.0.0"
    value   = "cmVk"
  }
}

resource red "sub:index:Red" {
}
""")
        assert self.run(world, capsys) == []


def test_without_the_extra_the_diagnostic_says_what_to_install(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2, 3, 5):
        world.remove(number)
    monkeypatch.setitem(sys.modules, "grpc", None)
    protocol.load.cache_clear()
    try:
        app.main(["check", str(world.program), "--output-format", "json"])
    finally:
        protocol.load.cache_clear()
    (item,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert "pip install 'pclgen[pulumi]'" in json.dumps(item)
