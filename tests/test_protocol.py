"""The `.proto` files agree with the installed `pulumi` package; calls and services work as they promise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pclgen.protocol.rpc import CallFailed, Refused, Rpc, load
from tests.support import toolchains
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE, threads_end

GET_SCHEMA = "/pulumirpc.ResourceProvider/GetSchema"
CANCEL = "/pulumirpc.ResourceProvider/Cancel"

DESCRIBE = """
def kind(field):
    other = field.message_type or field.enum_type
    return other.full_name if other else field.type

def row(field):
    group = field.containing_oneof
    return [field.number, kind(field), field.is_repeated, group.name if group else None, field.has_presence]

def describe(message):
    return {field.name: row(field) for field in message.fields}
"""

IN_WHEEL = DESCRIBE + """
import importlib, json, sys
modules = ["provider", "resource", "engine", "callback", "plugin", "alias", "source", "codegen.loader", "codegen.hcl", "language"]
files = [importlib.import_module(f"pulumi.runtime.proto.{name}_pb2").DESCRIPTOR for name in modules]
found = {"messages": {}, "enums": {}, "methods": {}}

def visit(message):
    found["messages"][message.full_name] = describe(message)
    for inner in message.nested_types:
        visit(inner)

for file in files:
    for message in file.message_types_by_name.values():
        visit(message)
    for enum in file.enum_types_by_name.values():
        found["enums"][enum.full_name] = {value.name: value.number for value in enum.values}
    for service in file.services_by_name.values():
        for method in service.methods:
            path = f"/{service.full_name}/{method.name}"
            found["methods"][path] = [method.input_type.full_name, method.output_type.full_name]

# Both sets of classes live in this process, whatever protobuf it has, and understand each other.
sys.path.append(sys.argv[1])  # msgspec, which SDKs do not need
from pclgen.protocol.rpc import load
from pulumi.runtime.proto import resource_pb2
rpc = load()
theirs = resource_pb2.RegisterResourceRequest(type="a:b:C", protect=False, aliasURNs=["u"])
theirs.object.update({"x": [1, {"y": None}]})
theirs.propertyDependencies["x"].urns.append("urn")
theirs.aliases.add().spec.noParent = True
theirs.customTimeouts.create = "1m"
ours = rpc.message_class("pulumirpc.RegisterResourceRequest").FromString(theirs.SerializeToString())
again = resource_pb2.RegisterResourceRequest.FromString(ours.SerializeToString())
found["same"] = again == theirs and str(ours) == str(theirs) and type(ours) is not type(theirs)
found["kept"] = [ours.HasField("protect"), ours.HasField("retainOnDelete"), ours.aliases[0].spec.WhichOneof("parent")]
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def rpc() -> Rpc:
    loaded = load()
    assert isinstance(loaded, Rpc)
    return loaded


@pytest.fixture(scope="module")
def wheel() -> Mapping[str, Any]:
    """The descriptors of the installed `pulumi` package, read by the Python that has it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command: list[str | Path] = [toolchains.python().python, "-c", IN_WHEEL, Path(msgspec.__file__).parents[1]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: Mapping[str, Any] = json.loads(done.stdout)
    return answer


def our_messages() -> list[str]:
    """The full names of all messages, without the entries of maps."""
    from pclgen.protocol.pool import descriptors

    def within(around: str, rows: Any) -> Iterator[str]:
        for row in rows:
            if not row.options.map_entry:
                yield f"{around}.{row.name}"
                yield from within(f"{around}.{row.name}", row.nested_type)

    return [name for file in descriptors().file for name in within(file.package, file.message_type)]


def described(message: Any) -> Mapping[str, Any]:
    names: dict[str, Any] = {}
    exec(DESCRIBE, names)
    rows: Mapping[str, Any] = json.loads(json.dumps(names["describe"](message.DESCRIPTOR)))
    return rows


def test_every_field_is_that_of_the_installed_package(rpc: Rpc, wheel: Mapping[str, Any]) -> None:
    ours = {name: described(rpc.message_class(name)) for name in our_messages()}
    assert len(ours) > 60
    assert ours == {name: wheel["messages"].get(name) for name in ours}


def test_entries_of_maps_are_those_of_the_installed_package(rpc: Rpc, wheel: Mapping[str, Any]) -> None:
    entries = {
        entry.full_name: entry
        for name in our_messages()
        for entry in rpc.message_class(name).DESCRIPTOR.nested_types
        if entry.GetOptions().map_entry
    }
    names: dict[str, Any] = {}
    exec(DESCRIBE, names)
    ours = {name: json.loads(json.dumps(names["describe"](entry))) for name, entry in entries.items()}
    assert len(ours) > 10
    assert ours == {name: wheel["messages"].get(name) for name in ours}


def test_every_enumeration_is_that_of_the_installed_package(rpc: Rpc, wheel: Mapping[str, Any]) -> None:
    names = (
        "pulumirpc.ResourceMonitorFeature", "pulumirpc.Result", "pulumirpc.LogSeverity", "pulumirpc.codegen.DiagnosticSeverity"
    )
    assert {name: dict(rpc.enumeration(name)) for name in names} == {name: wheel["enums"][name] for name in names}


def test_services_have_the_methods_of_the_installed_package(rpc: Rpc, wheel: Mapping[str, Any]) -> None:
    ours = {path: [method.request, method.response] for path, method in rpc.methods.items()}
    assert ours == {path: wheel["methods"].get(path) for path in ours}
    whole = ("/pulumirpc.ResourceMonitor/", "/pulumirpc.Engine/", "/pulumirpc.Callbacks/", "/codegen.Loader/")
    assert {path for path in wheel["methods"] if path.startswith(whole)} <= set(ours)


def test_our_classes_live_beside_those_of_the_installed_package(wheel: Mapping[str, Any]) -> None:
    assert wheel["same"] is True
    assert wheel["kept"] == [True, False, "noParent"]


def test_protobuf_without_its_compiled_half_serves_too() -> None:
    program = """
from pclgen.protocol.rpc import load
rpc = load()
made = rpc.message("pulumirpc.RegisterResourceRequest", protect=False, object=rpc.struct({"a": [1, None]}))
made.propertyDependencies["x"].urns.append("u")
again = rpc.parse(type(made), made.SerializeToString())
print(again == made, again.HasField("protect"), again.HasField("hooks"))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "True True False\n", done.stderr


def test_the_descriptor_set_is_what_the_files_say() -> None:
    pytest.importorskip("grpc_tools")
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    from pclgen.protocol.pool import descriptors
    from scripts.messages import compiled

    fresh = FileDescriptorSet.FromString(compiled())
    # By name: another compiler may order the files differently.
    assert {file.name: file for file in descriptors().file} == {file.name: file for file in fresh.file}


def test_the_compiler_is_not_needed(tmp_path: Path) -> None:
    program = """
import sys
sys.modules["grpc_tools"] = None
from pclgen.protocol.rpc import load
print(load().message("pulumirpc.GetSchemaRequest", version=7).version)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "7\n", done.stderr


def test_nothing_is_registered_for_others(rpc: Rpc) -> None:
    from google.protobuf import descriptor_pool

    rpc.message("pulumirpc.GetSchemaRequest")
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindMessageTypeByName("pulumirpc.GetSchemaRequest")


def test_a_call_brings_the_answer(rpc: Rpc) -> None:
    def schema(request: Any) -> Any:
        return rpc.message("pulumirpc.GetSchemaResponse", schema=f"{request.subpackage_name}/{request.version}")

    request = rpc.message("pulumirpc.GetSchemaRequest", subpackage_name="a", version=7)
    with rpc.serve({GET_SCHEMA: schema}) as server, rpc.connect(server.address) as connection:
        answer: Any = connection.call(GET_SCHEMA, request, timeout=PATIENCE)
    assert answer.schema == "a/7"


def test_large_answers_arrive(rpc: Rpc) -> None:
    size = 30_000_000  # many times the default limit of gRPC

    def schema(request: Any) -> Any:
        return rpc.message("pulumirpc.GetSchemaResponse", schema="x" * size)

    with rpc.serve({GET_SCHEMA: schema}) as server, rpc.connect(server.address) as connection:
        answer: Any = connection.call(GET_SCHEMA, rpc.message("pulumirpc.GetSchemaRequest"), timeout=PATIENCE)
    assert len(answer.schema) == size


def test_a_text_is_fetched_as_bytes(rpc: Rpc) -> None:
    def schema(request: Any) -> Any:
        return rpc.message("pulumirpc.GetSchemaResponse", schema="é" * request.version)

    with rpc.serve({GET_SCHEMA: schema}) as server, rpc.connect(server.address) as connection:
        for size in (0, 1, 100, 100_000):
            request = rpc.message("pulumirpc.GetSchemaRequest", version=size)
            assert connection.fetch(GET_SCHEMA, request, timeout=PATIENCE) == "é".encode() * size


def test_a_garbled_answer_is_a_value(rpc: Rpc, capfd: pytest.CaptureFixture[str]) -> None:
    class Garbled:
        def SerializeToString(self) -> bytes:  # noqa: N802  # the name is protobuf's
            return b"\x0a\xff\x01too short"

    request = rpc.message("pulumirpc.GetSchemaRequest")
    with rpc.serve({GET_SCHEMA: lambda _: Garbled()}) as server, rpc.connect(server.address) as connection:
        for answer in (connection.call(GET_SCHEMA, request, timeout=PATIENCE), connection.fetch(GET_SCHEMA, request, timeout=PATIENCE)):
            assert answer == CallFailed(status="INTERNAL", details="the answer is garbled")
    assert capfd.readouterr().err == ""


@given(package=st.text(), version=st.text(), count=st.integers(-(2**31), 2**31 - 1), cut=st.integers(0, 3))
@settings(deadline=None)
def test_a_text_is_found_as_protobuf_finds_it(package: str, version: str, count: int, cut: int) -> None:
    from pclgen.protocol.rpc import _first_bytes

    rpc = load()
    assert isinstance(rpc, Rpc)
    # Other messages whose field 1 is a text or a number represent answers of later editions.
    whole = rpc.message("codegen.GetSchemaRequest", package=package, version=version).SerializeToString()
    whole += rpc.message("pulumirpc.LogRequest", streamId=count, ephemeral=True).SerializeToString()
    data = whole[: len(whole) - cut]
    theirs = rpc.parse(rpc.message_class("codegen.GetSchemaResponse"), data)
    assert _first_bytes(data) == (None if theirs is None else theirs.schema)


def test_refusals_and_missing_methods_are_values(rpc: Rpc) -> None:
    def schema(request: Any) -> Any:
        raise Refused("INVALID_ARGUMENT", "no such package")

    with rpc.serve({GET_SCHEMA: schema}) as server, rpc.connect(server.address) as connection:
        refused = connection.call(GET_SCHEMA, rpc.message("pulumirpc.GetSchemaRequest"), timeout=PATIENCE)
        missing = connection.call(CANCEL, rpc.message("google.protobuf.Empty"), timeout=PATIENCE)
    assert refused == CallFailed(status="INVALID_ARGUMENT", details="no such package")
    assert isinstance(missing, CallFailed) and missing.unimplemented


def test_a_call_waits_no_longer_than_its_limit(rpc: Rpc) -> None:
    release = threading.Event()

    def schema(request: Any) -> Any:
        release.wait(PATIENCE)
        return rpc.message("pulumirpc.GetSchemaResponse")

    with rpc.serve({GET_SCHEMA: schema}) as server, rpc.connect(server.address) as connection:
        late = connection.call(GET_SCHEMA, rpc.message("pulumirpc.GetSchemaRequest"), timeout=0.2)
        release.set()
    assert isinstance(late, CallFailed) and late.timed_out


def test_a_missing_server_fails_at_once(rpc: Rpc) -> None:
    server = rpc.serve({})
    server.stop()
    with rpc.connect(server.address) as connection:
        failed = connection.call(GET_SCHEMA, rpc.message("pulumirpc.GetSchemaRequest"), timeout=PATIENCE)
    assert isinstance(failed, CallFailed) and failed.status == "UNAVAILABLE"


def test_a_proxy_for_the_web_is_not_asked(rpc: Rpc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with rpc.serve({CANCEL: lambda request: request}) as server, rpc.connect(server.address) as connection:
        answer = connection.call(CANCEL, rpc.message("google.protobuf.Empty"), timeout=PATIENCE)
    assert not isinstance(answer, CallFailed)


def test_a_stopped_server_leaves_no_threads(rpc: Rpc) -> None:
    before = set(threading.enumerate())
    with rpc.serve({CANCEL: lambda request: request}) as server, rpc.connect(server.address) as connection:
        connection.call(CANCEL, rpc.message("google.protobuf.Empty"), timeout=PATIENCE)
        assert set(threading.enumerate()) - before != set()
    assert threads_end(before)


def test_wrong_names_are_our_mistakes(rpc: Rpc) -> None:
    with pytest.raises(KeyError):
        rpc.message("pulumirpc.NoSuchMessage")
    with pytest.raises(KeyError):
        rpc.serve({"/pulumirpc.Engine/NoSuchMethod": lambda request: request})
    with pytest.raises(ValueError, match="subpackage"):
        rpc.message("pulumirpc.GetSchemaRequest", subpackage="x")


@pytest.mark.parametrize("library", ["grpc", "google.protobuf"])
def test_without_the_libraries_there_is_one_clear_sentence(library: str, tmp_path: Path) -> None:
    program = f"import sys; sys.modules[{library!r}] = None\nfrom pclgen.protocol.rpc import load\nprint(load().reason)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "pip install 'pclgen[pulumi]'" in done.stdout
    assert library in done.stdout
