"""Schemas from provider plugins: found, started, queried and stopped; every misbehavior gives one clear answer."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pclgen.protocol import rpc as protocol
from pclgen.schema.errors import BadSchema, Fault, Lacking, NotFound
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.plugins import PluginSource, plugin_folder
from pclgen.schema.sources import BasePlugin, Reading, Requirement
from pclgen.schema.tokens import Token, parse_token
from pclgen.types.declarations import Shape
from tests.support import toolchains
from tests.support.fake_provider import SCHEMA, encoded, install, left_processes
from tests.support.waiting import PATIENCE, threads_end

LIMIT = PATIENCE
GROWING = (1.2, 30.0, 300.0)


REAL = """\
#!{python}
from typing import Optional, TypedDict
import pulumi
from pulumi.provider.experimental import component_provider_host

class StallArgs(TypedDict):
    size: pulumi.Input[int]
    label: Optional[pulumi.Input[str]]

class Stall(pulumi.ComponentResource):
    price: pulumi.Output[float]

    def __init__(self, name: str, args: StallArgs, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("market:index:Stall", name, {{}}, opts)

if __name__ == "__main__":
    component_provider_host(name="market", components=[Stall], version="2.1.0")
"""


@pytest.fixture(autouse=True)
def no_threads_are_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert threads_end(before)


def on_path(*directories: Path, limit: float = LIMIT) -> PluginSource:
    return PluginSource(folder=None, path=os.pathsep.join(map(str, directories)), limit=limit)


def ask(source: PluginSource, requirement: Requirement | None = None) -> Reading:
    (candidate,) = source.candidates(requirement or Requirement(name="shop"))
    return source.read(candidate)


def failure(
    tmp_path: Path,
    mode: str,
    *,
    limits: Sequence[float] = (LIMIT,),
    until: Callable[[BadSchema], bool] = lambda _: True,
    schema: Mapping[str, Any] = SCHEMA,
) -> BadSchema:
    """The failure of a misbehaving plugin, which leaves nothing behind.

    A busy machine may not get far within a short limit: then the next of `limits` applies, until `until` holds.
    """
    limit, *longer = limits
    program = install(tmp_path, mode=mode, schema=schema)
    answer = ask(on_path(tmp_path, limit=limit))
    assert isinstance(answer, BadSchema)
    assert (answer.name, answer.where, answer.fault) == ("shop", str(program), Fault.SOURCE)
    assert left_processes(program) == []
    if longer and not until(answer):
        return failure(tmp_path, mode, limits=longer, until=until, schema=schema)
    return answer


def test_a_plugin_on_path_gives_its_schema(tmp_path: Path) -> None:
    program = install(tmp_path)
    answer = ask(on_path(tmp_path / "nothing", tmp_path))
    assert isinstance(answer, bytes)
    assert json.loads(answer) == SCHEMA
    assert left_processes(program) == []


@pytest.mark.parametrize("mode", ["old", "noise"])
def test_plugins_that_know_less_or_print_much_are_fine(tmp_path: Path, mode: str) -> None:
    program = install(tmp_path, mode=mode)
    answer = ask(on_path(tmp_path))
    assert isinstance(answer, bytes)
    assert left_processes(program) == []


def test_a_plugin_of_pulumis_own_making(tmp_path: Path) -> None:
    program = tmp_path / "pulumi-resource-market"
    program.write_text(REAL.format(python=toolchains.python().python))
    program.chmod(0o755)
    package = SchemaStore(later=[on_path(tmp_path, limit=60)]).find("market")
    assert isinstance(package, FoundPackage), package
    token = parse_token("market:index:Stall")
    assert isinstance(token, Token)
    stall = package.resource(token)
    assert stall is not None and stall.is_component
    assert package.package.version == "2.1.0"
    fields = stall.inputs.fields(Shape.INPUT)
    assert {name: field.required for name, field in fields.items()} == {"label": False, "size": True}


def test_a_plugin_in_go(tmp_path: Path) -> None:
    tools = toolchains.go()
    module = tmp_path / "module"
    module.mkdir()
    for name in ("go.mod", "go.sum"):
        shutil.copy(tools.module / name, module)
    shutil.copy(toolchains.PINS / "go" / "provider.go.txt", module / "main.go")
    program = tmp_path / "pulumi-resource-gopher"
    toolchains.run([tools.go, "build", "-o", program, "."], cwd=module, env=tools.environment)
    base = BasePlugin(name="gopher", version="0.1.0", parameter=encoded("red"))
    requirement = {"sub": Requirement(name="sub", version="0.1.0", base=base)}
    store = SchemaStore(later=[on_path(tmp_path)]).with_packages(requirement)
    for name in ("gopher", "sub"):
        package = store.find(name)
        assert isinstance(package, FoundPackage), package
        assert tuple(package.package.resource_tokens) == (f"{name}:index:Hole",)


ENDS: Mapping[str, tuple[str, tuple[str, ...] | None]] = {
    "crash": ("ended with exit status 3 before it printed its port", ("no licence was found",)),  # without the colors
    "killed": ("was ended by the signal SIGKILL before it printed its port", None),
    "die": ("ended with exit status 2 when it was called with GetSchema", ("panic: index out of range",)),
    "rubbish": ("must print its port first, but printed `Welcome to the shop`", None),
    "refuse": ("refused GetSchema: closed", ("the shop is closed on Sundays",)),  # sent to the engine
    "unimplemented": ("does not know the call GetSchema", None),
    "empty": ("answered without a schema", None),
    # Its process cannot be found: it has its own session and holds the outputs open; reading them ends nevertheless.
    "escaped": ("ended with exit status 4 before it printed its port", None),
}
"""Modes of the plugin, the errors, and the printed lines, if they matter."""


class TestMisbehaviour:
    @pytest.mark.parametrize("mode", ENDS)
    def test_the_error_says_what_happened(self, tmp_path: Path, mode: str) -> None:
        reason, printed = ENDS[mode]
        answer = failure(tmp_path, mode)
        assert answer.reason == f"the plugin {reason}"
        assert printed is None or answer.printed == printed

    def test_silent(self, tmp_path: Path) -> None:
        answer = failure(tmp_path, "silent", limits=GROWING, until=lambda answer: answer.printed != ())
        assert re.fullmatch(r"the plugin did not print its port within \d+(\.\d)? s", answer.reason)
        assert answer.printed == ("still loading",)

    def test_stubborn_with_children(self, tmp_path: Path) -> None:
        answer = failure(tmp_path, "stubborn", limits=[0.6])
        assert answer.reason == "the plugin did not print its port within 0.6 s"

    def test_hangs_inside_get_schema(self, tmp_path: Path) -> None:
        answer = failure(tmp_path, "hang", limits=GROWING, until=lambda answer: "GetSchema" in answer.reason)
        assert re.fullmatch(r"the plugin did not answer GetSchema within \d+(\.\d)? s", answer.reason)
        assert answer.printed == ("reading a hundred files",)

    def test_prints_without_end(self, tmp_path: Path) -> None:
        answer = failure(tmp_path, "endless")
        assert answer.reason.startswith("the plugin must print its port first, but printed `xxxx")
        assert len(answer.reason) < 500

    def test_does_not_listen(self, tmp_path: Path) -> None:
        answer = failure(tmp_path, "nobody", limits=GROWING, until=lambda answer: "does not listen" in answer.reason)
        assert answer.reason.startswith("the plugin does not listen on port ")

    @pytest.mark.parametrize("mode", ["deaf", "web"])
    def test_listens_and_does_not_speak_grpc(self, tmp_path: Path, mode: str) -> None:
        answer = failure(tmp_path, mode, limits=GROWING, until=lambda answer: "Handshake" in answer.reason)
        assert "Handshake" in answer.reason

    @pytest.mark.parametrize("mode", ["no json", "garbled"])
    def test_answers_no_schema(self, tmp_path: Path, mode: str) -> None:
        assert failure(tmp_path, mode).reason.startswith("what the plugin answered is no schema: ")

    def test_answers_with_another_package(self, tmp_path: Path) -> None:
        reason = failure(tmp_path, "good", schema={**SCHEMA, "name": "mall"}).reason
        assert reason == "the plugin answered with the schema of package `mall`, not `shop`"

    def test_is_no_program(self, tmp_path: Path) -> None:
        program = tmp_path / "pulumi-resource-shop"
        program.write_bytes(b"\x00\x01")
        program.chmod(0o755)
        answer = ask(on_path(tmp_path))
        assert isinstance(answer, BadSchema)
        assert answer.reason == "the plugin cannot be started: Exec format error"


class TestFinding:
    def test_the_folder_of_plugins(self, tmp_path: Path) -> None:
        for version in ("1.9.0", "1.10.0"):
            install(tmp_path / f"resource-shop-v{version}")
        install(tmp_path / "resource-shop-v2.0.0")
        (tmp_path / "resource-shop-v2.0.0.partial").touch()  # not unpacked yet
        install(tmp_path / "resource-mall-v1.0.0", "other")  # no program of that name
        install(tmp_path / "language-shop-v1.0.0")
        (tmp_path / "resource-shop-v1.10.0.lock").touch()
        source = PluginSource(folder=tmp_path, path="")
        assert source.names() == ["shop"]
        versions = [candidate.version for candidate in source.candidates(Requirement(name="shop"))]
        assert versions == ["1.10.0", "1.9.0"]
        assert source.candidates(Requirement(name="mall")) == []

    def test_path_goes_before_the_folder_unless_the_folder_has_the_version(self, tmp_path: Path) -> None:
        folder, path = tmp_path / "plugins", tmp_path / "bin"
        in_folder = install(folder / "resource-shop-v1.2.3")
        program = install(path)
        source = PluginSource(folder=folder, path=str(path))
        assert [c.where for c in source.candidates(Requirement(name="shop"))] == [str(program)]
        assert [c.where for c in source.candidates(Requirement(name="shop", version="1.2.3"))] == [str(in_folder)]
        assert [c.where for c in source.candidates(Requirement(name="shop", version="1.2.4"))] == [str(program)]
        assert source.names() == ["shop"]

    @pytest.mark.parametrize("name", ["../shop", "a/b", "", "a\0b", "-x"])
    def test_names_do_not_leave_the_directories(self, tmp_path: Path, name: str) -> None:
        source = PluginSource(folder=tmp_path, path=str(tmp_path))
        assert source.candidates(Requirement(name=name)) == []

    def test_what_is_not_executable_is_no_plugin_on_path(self, tmp_path: Path) -> None:
        install(tmp_path).chmod(0o644)
        assert on_path(tmp_path).candidates(Requirement(name="shop")) == []
        assert on_path(tmp_path).names() == []

    def test_missing_directories_are_empty(self, tmp_path: Path) -> None:
        source = PluginSource(folder=tmp_path / "x", path=str(tmp_path / "y"))
        assert source.names() == []
        assert source.candidates(Requirement(name="shop")) == []

    def test_pulumis_home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert plugin_folder({"PULUMI_HOME": str(tmp_path)}) == tmp_path / "plugins"
        monkeypatch.setenv("HOME", str(tmp_path))
        assert plugin_folder({}) == tmp_path / ".pulumi" / "plugins"

    def test_the_fingerprint_is_that_of_the_program_and_the_parameter(self, tmp_path: Path) -> None:
        program = install(tmp_path)
        source = on_path(tmp_path)
        (plain,) = source.candidates(Requirement(name="shop"))
        base = BasePlugin(name="shop", version="1.2.3", parameter=encoded("a"))
        (parameterized,) = source.candidates(Requirement(name="sub", version="1.0.0", base=base))
        prints = {source.fingerprint(plain), source.fingerprint(parameterized)}
        assert len(prints) == 2 and "" not in prints
        os.utime(program, ns=(1, 1))
        assert source.fingerprint(plain) not in prints


class TestVersions:
    def test_another_version_on_path_is_not_the_wanted_one(self, tmp_path: Path) -> None:
        install(tmp_path)
        assert ask(on_path(tmp_path), Requirement(name="shop", version="1.2.4")) == Lacking(reason="it has version 1.2.3")
        assert isinstance(ask(on_path(tmp_path), Requirement(name="shop", version="v1.2.3")), bytes)

    def test_the_store_says_what_was_there(self, tmp_path: Path) -> None:
        install(tmp_path)
        missing = SchemaStore(later=[on_path(tmp_path)]).find("shop", "1.2.4")
        assert isinstance(missing, NotFound)
        assert missing.tried == ("the provider plugins on PATH (it has version 1.2.3)",)


class TestParameters:
    SUB: Mapping[str, Any] = {
        "name": "sub",
        "version": "2.0.0",
        "parameterization": {"baseProvider": {"name": "shop", "version": "1.2.3"}, "parameter": encoded("red")},
        "resources": {"sub:index:Red": {"properties": {"shade": {"type": "string"}}}},
    }

    def requirement(self, value: str = "red", version: str = "1.2.3") -> Requirement:
        return Requirement(name="sub", version="2.0.0", base=BasePlugin(name="shop", version=version, parameter=encoded(value)))

    @pytest.mark.parametrize("kind", ["parameterization", "extensionParameterization"])
    def test_the_package_that_the_parameter_makes(self, tmp_path: Path, kind: str) -> None:
        schema = {**self.SUB, kind: self.SUB["parameterization"]}
        if kind != "parameterization":
            del schema["parameterization"]
        folder = tmp_path / "resource-shop-v1.2.3"
        program = install(folder, packages={"red": schema})
        source = PluginSource(folder=tmp_path, path="")
        store = SchemaStore(later=[source]).with_packages({"sub": self.requirement()})
        package = store.find("sub")
        assert isinstance(package, FoundPackage)
        parameterization = package.package.parameterization
        assert parameterization is not None and parameterization.extension is (kind != "parameterization")
        assert tuple(package.package.resource_tokens) == ("sub:index:Red",)
        base = store.find("shop")
        assert isinstance(base, FoundPackage) and base.package.version == "1.2.3"
        assert left_processes(program) == []

    def test_the_version_of_the_plugin_counts(self, tmp_path: Path) -> None:
        install(tmp_path / "resource-shop-v1.2.3", packages={"red": self.SUB})
        source = PluginSource(folder=tmp_path, path="")
        assert source.candidates(self.requirement(version="1.2.2")) == []
        assert len(source.candidates(self.requirement(version=""))) == 1

    def test_a_plugin_without_parameters(self, tmp_path: Path) -> None:
        install(tmp_path)
        answer = ask(on_path(tmp_path), self.requirement())
        assert isinstance(answer, BadSchema)
        assert answer.reason == "the plugin does not know parameters, so it cannot serve a parameterized package"

    def test_an_unknown_parameter(self, tmp_path: Path) -> None:
        install(tmp_path, packages={"red": self.SUB})
        answer = ask(on_path(tmp_path), self.requirement("blue"))
        assert isinstance(answer, BadSchema)
        assert answer.reason == "the plugin refused Parameterize: nothing is known of blue"

    def test_a_package_of_another_name(self, tmp_path: Path) -> None:
        install(tmp_path, packages={"red": {**self.SUB, "name": "other"}})
        answer = ask(on_path(tmp_path), self.requirement())
        assert isinstance(answer, BadSchema)
        assert answer.reason == "the plugin made package `other` of the parameter, not `sub`"

    def test_a_spoiled_parameter(self, tmp_path: Path) -> None:
        install(tmp_path)
        requirement = Requirement(name="sub", version="2.0.0", base=BasePlugin(name="shop", parameter="§"))
        answer = ask(on_path(tmp_path), requirement)
        assert isinstance(answer, BadSchema) and "base64" in answer.reason


def test_without_grpc_the_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path)
    monkeypatch.setattr("pclgen.schema.plugins.load", lambda: protocol.Missing(reason="pip install 'pclgen[pulumi]'"))
    answer = ask(on_path(tmp_path))
    assert isinstance(answer, Lacking)
    assert "pip install 'pclgen[pulumi]'" in answer.reason


def test_a_plugin_is_started_once_for_a_store(tmp_path: Path) -> None:
    program = install(tmp_path)
    store = SchemaStore(later=[on_path(tmp_path)])
    assert store.find("shop") is store.find("shop")
    assert len(Path(f"{program}.pids").read_text().split()) == 1


def test_earlier_sources_keep_plugins_asleep(tmp_path: Path) -> None:
    program = install(tmp_path / "bin")
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "shop-1.0.0.json").write_text('{"name": "shop", "version": "1.0.0"}')
    package = SchemaStore([tmp_path / "schemas"], later=[on_path(tmp_path / "bin")]).find("shop")
    assert isinstance(package, FoundPackage) and package.package.version == "1.0.0"
    assert not Path(f"{program}.pids").exists()
