"""Schemas from a schema loader service and from the Pulumi CLI."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pclgen.protocol import rpc as protocol
from pclgen.schema.errors import BadSchema, Fault, Lacking, NotFound
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.pulumi import LoaderSource, PulumiCliSource
from pclgen.schema.sources import BasePlugin, Reading, Requirement, SchemaSource
from tests.support.fake_provider import SCHEMA, encoded, left_processes
from tests.support.waiting import PATIENCE, threads_end

GET_SCHEMA = "/codegen.Loader/GetSchema"


@pytest.fixture(autouse=True)
def no_threads_are_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert threads_end(before)


@pytest.fixture(scope="module")
def rpc() -> protocol.Rpc:
    loaded = protocol.load()
    assert isinstance(loaded, protocol.Rpc)
    return loaded


def ask(source: SchemaSource, requirement: Requirement | None = None) -> Reading:
    (candidate,) = source.candidates(requirement or Requirement(name="shop"))
    return source.read(candidate)


class Loader:
    """A loader service that serves one package and records the requests."""

    def __init__(self, rpc: protocol.Rpc, answer: bytes) -> None:
        self.rpc = rpc
        self.answer = answer
        self.asked: list[Any] = []
        self.release = threading.Event()
        self.slow = False

    def get_schema(self, request: Any) -> Any:
        self.asked.append(request)
        if self.slow:
            self.release.wait(30)
        if request.package != "shop":
            raise protocol.Refused("UNKNOWN", f"no plugin {request.package}")
        return self.rpc.message("codegen.GetSchemaResponse", schema=self.answer)


@pytest.fixture
def loader(rpc: protocol.Rpc) -> Loader:
    return Loader(rpc, json.dumps(SCHEMA).encode())


class TestLoader:
    def test_the_service_is_asked(self, rpc: protocol.Rpc, loader: Loader) -> None:
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            source = LoaderSource(server.address)
            assert ask(source) == loader.answer
            assert source.where == f"the schema loader at {server.address}"
            requirement = Requirement(name="shop", version="1.2.3", download_url="https://example.org/plugins")
            assert ask(source, requirement) == loader.answer
        first, second = loader.asked
        assert (first.package, first.version, first.HasField("parameterization")) == ("shop", "", False)
        assert (second.version, second.download_url) == ("1.2.3", "https://example.org/plugins")

    def test_the_store_opens_what_it_answers(self, rpc: protocol.Rpc, loader: Loader) -> None:
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            package = SchemaStore(later=[LoaderSource(server.address)]).find("shop")
        assert isinstance(package, FoundPackage)
        assert tuple(package.package.resource_tokens) == ("shop:index:Server",)

    def test_parameters_are_passed_on(self, rpc: protocol.Rpc, loader: Loader) -> None:
        loader.answer = b'{"name": "sub", "version": "2.0.0"}'
        requirement = Requirement(name="sub", version="2.0.0", base=BasePlugin(name="shop", version="1.2.3", parameter=encoded("red")))
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            assert ask(LoaderSource(server.address), requirement) == loader.answer
        (request,) = loader.asked
        parameter = request.parameterization
        assert (request.package, request.version) == ("shop", "1.2.3")
        assert (parameter.name, parameter.version, parameter.value) == ("sub", "2.0.0", b"red")

    def test_what_it_does_not_have_is_lacking(self, rpc: protocol.Rpc, loader: Loader) -> None:
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            assert ask(LoaderSource(server.address), Requirement(name="mall")) == Lacking(reason="refused: no plugin mall")
            missing = SchemaStore(later=[LoaderSource(server.address)]).find("mall")
        assert isinstance(missing, NotFound)
        assert missing.tried == (f"the schema loader at {server.address} (refused: no plugin mall)",)

    def test_another_version_is_lacking(self, rpc: protocol.Rpc, loader: Loader) -> None:
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            answer = ask(LoaderSource(server.address), Requirement(name="shop", version="9.0.0"))
        assert answer == Lacking(reason="it has version 1.2.3")

    def test_a_service_that_hangs(self, rpc: protocol.Rpc, loader: Loader) -> None:
        loader.slow = True
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            answer = ask(LoaderSource(server.address, limit=0.3))
            loader.release.set()
        assert isinstance(answer, BadSchema) and answer.fault is Fault.SOURCE
        assert answer.reason == "the service did not answer within 0.3 s"

    def test_nobody_there(self, rpc: protocol.Rpc) -> None:
        server = rpc.serve({})
        server.stop()
        answer = ask(LoaderSource(server.address))
        assert isinstance(answer, BadSchema)
        assert answer.reason.startswith("the service gave no usable answer: ")
        assert answer.where == f"the schema loader at {server.address}"

    @pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:1", "127.0.0.1:99999999", "ü:1"])
    def test_addresses_that_are_none(self, address: str) -> None:
        assert isinstance(ask(LoaderSource(address, limit=2)), BadSchema)

    def test_another_service(self, rpc: protocol.Rpc) -> None:
        with rpc.serve({}) as server:
            answer = ask(LoaderSource(server.address))
        assert isinstance(answer, BadSchema) and answer.reason == "the service is no schema loader"

    @pytest.mark.parametrize(
        ("answered", "reason"),
        [
            (b"", "the service answered without a schema"),
            (b"<html>", "what the service answered is no schema: "),
            (b"\xff\xfe", "what the service answered is no schema: "),
            (b'{"version": "1.0.0"}', "what the service answered is no schema: "),
            (b'{"name": "mall"}', "the service answered with the schema of package `mall`, not `shop`"),
        ],
    )
    def test_rubbish(self, rpc: protocol.Rpc, loader: Loader, answered: bytes, reason: str) -> None:
        loader.answer = answered
        with rpc.serve({GET_SCHEMA: loader.get_schema}) as server:
            answer = ask(LoaderSource(server.address))
        assert isinstance(answer, BadSchema) and answer.reason.startswith(reason)

    def test_without_grpc_the_next_source_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pclgen.schema.pulumi.load", lambda: protocol.Missing(reason="pip install 'pclgen[pulumi]'"))
        assert ask(LoaderSource("127.0.0.1:1")) == Lacking(reason="pip install 'pclgen[pulumi]'")


CLI = """\
#!{python}
import json, os, sys, time
settings = json.load(open(__file__ + ".json"))
with open(__file__ + ".pids", "a") as file:
    file.write(str(os.getpid()) + "\\n")
with open(__file__ + ".calls", "a") as file:
    file.write(json.dumps([sys.argv[1:], os.environ.get("PULUMI_SKIP_UPDATE_CHECK")]) + "\\n")
sys.stderr.write(settings["errors"])
sys.stderr.flush()
time.sleep(settings["seconds"])
sys.stdout.write(settings["output"])
sys.exit(settings["status"])
"""


def install_cli(
    directory: Path, *, output: str = json.dumps(SCHEMA), errors: str = "", status: int = 0, seconds: float = 0
) -> Path:
    """Write a `pulumi` command that prints these texts."""
    program = directory / "pulumi"
    program.write_text(CLI.format(python=sys.executable))
    program.chmod(0o755)
    settings: Mapping[str, Any] = {"output": output, "errors": errors, "status": status, "seconds": seconds}
    Path(f"{program}.json").write_text(json.dumps(settings))
    return program


class TestCli:
    def test_it_is_asked_for_the_version(self, tmp_path: Path) -> None:
        program = install_cli(tmp_path, errors="warning: a new version is available\n")
        source = PulumiCliSource(path=str(tmp_path))
        assert source.where == str(program)
        for requirement in (Requirement(name="shop"), Requirement(name="shop", version="v1.2.3")):
            answer = ask(source, requirement)
            assert isinstance(answer, bytes) and json.loads(answer) == SCHEMA
        calls = [json.loads(line) for line in Path(f"{program}.calls").read_text().splitlines()]
        before = ["package", "get-schema", "--non-interactive", "--color", "never"]
        assert calls == [[[*before, "shop"], "true"], [[*before, "shop@1.2.3"], "true"]]

    def test_without_it_there_is_nothing(self, tmp_path: Path) -> None:
        source = PulumiCliSource(path=str(tmp_path))
        assert source.candidates(Requirement(name="shop")) == []
        missing = SchemaStore(later=[source]).find("shop")
        assert isinstance(missing, NotFound)
        assert missing.tried == ("the Pulumi CLI, which is not installed",)

    def test_options_and_paths_are_not_asked_for(self, tmp_path: Path) -> None:
        install_cli(tmp_path)
        source = PulumiCliSource(path=str(tmp_path))
        assert [source.candidates(Requirement(name=name)) for name in ("--help", "./x", "a b", "")] == [[], [], [], []]

    def test_it_takes_no_parameters(self, tmp_path: Path) -> None:
        install_cli(tmp_path)
        base = BasePlugin(name="shop", version="1.2.3", parameter=encoded("red"))
        assert PulumiCliSource(path=str(tmp_path)).candidates(Requirement(name="sub", base=base)) == []

    def test_what_it_says_is_passed_on(self, tmp_path: Path) -> None:
        install_cli(tmp_path, output="", errors="Downloading\nerror: no plugin shop\nsee the docs\n", status=255)
        assert ask(PulumiCliSource(path=str(tmp_path))) == Lacking(reason="the Pulumi CLI says: no plugin shop")
        missing = SchemaStore(later=[PulumiCliSource(path=str(tmp_path))]).find("shop")
        assert isinstance(missing, NotFound)
        assert missing.tried == (f"{tmp_path / 'pulumi'} (the Pulumi CLI says: no plugin shop)",)

    def test_a_silent_failure(self, tmp_path: Path) -> None:
        install_cli(tmp_path, output="", status=7)
        assert ask(PulumiCliSource(path=str(tmp_path))) == Lacking(reason="the Pulumi CLI ended with exit status 7")

    def test_a_hang_is_ended(self, tmp_path: Path) -> None:
        program = install_cli(tmp_path, seconds=PATIENCE)
        answer = ask(PulumiCliSource(path=str(tmp_path), limit=0.6))
        assert answer == Lacking(reason="the Pulumi CLI did not answer within 0.6 s")
        assert left_processes(program) == []

    def test_rubbish(self, tmp_path: Path) -> None:
        install_cli(tmp_path, output="usage: pulumi", errors="oops\n")
        answer = ask(PulumiCliSource(path=str(tmp_path)))
        assert isinstance(answer, BadSchema)
        assert answer.reason.startswith("what the Pulumi CLI answered is no schema: ")
        assert answer.printed == ("oops",)

    def test_large_schemas_arrive_whole(self, tmp_path: Path) -> None:
        schema = {**SCHEMA, "description": "x" * 5_000_000}
        install_cli(tmp_path, output=json.dumps(schema))
        answer = ask(PulumiCliSource(path=str(tmp_path)))
        assert isinstance(answer, bytes) and json.loads(answer) == schema

    def test_no_program(self, tmp_path: Path) -> None:
        program = tmp_path / "pulumi"
        program.write_bytes(b"\0\1")
        program.chmod(0o755)
        answer = ask(PulumiCliSource(path=str(tmp_path)))
        assert isinstance(answer, BadSchema)
        assert answer.reason == "the Pulumi CLI cannot be started: Exec format error"

    def test_versions_have_fingerprints(self, tmp_path: Path) -> None:
        install_cli(tmp_path)
        source = PulumiCliSource(path=os.pathsep.join(["", str(tmp_path)]))
        (exact,) = source.candidates(Requirement(name="shop", version="1.2.3"))
        (any_version,) = source.candidates(Requirement(name="shop"))
        assert source.fingerprint(exact) and not source.fingerprint(any_version)
