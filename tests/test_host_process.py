"""The host as the CLI starts it: the calls it forwards to the stock host, its exit, and its errors without a stock host."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pclgen.host.languages import HOST_LANGUAGES
from pclgen.protocol.rpc import CallFailed, Connection
from tests.support import fake_stock
from tests.support.corpus import ROOT
from tests.support.hosting import SERVICE, rpc
from tests.support.waiting import PATIENCE, comes_true

ODD = b"\x00\xff not even a message"
UNARY = (
    "Handshake", "GetRequiredPlugins", "GetRequiredPackages", "GetPluginInfo", "RuntimeOptionsPrompts", "Template",
    "GetProgramDependencies", "GeneratePackage", "Link", "Cancel", "InstallDependencies", "OfALaterEdition",
)  # fmt: skip  # a long table of words


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A host as a process, with a connection to it."""

    process: subprocess.Popen[str]
    connection: Connection
    notes: Path

    def relay(self, method: str, *requests: bytes, metadata: Any = (), timeout: float | None = PATIENCE) -> Any:
        return self.connection.relay(f"{SERVICE}/{method}", iter(requests), timeout=timeout, metadata=metadata)

    def failed(self, method: str) -> CallFailed:
        call = self.relay(method, b"")
        with pytest.raises(rpc().call_error):
            list(call)
        return CallFailed(status=call.code().name, details=call.details())


@contextmanager
def running(tmp_path: Path, *arguments: str, stock: bool = True, runtime: str = "go", **variables: str) -> Iterator[Running]:
    """Start a host; with `stock`, the recording stock host is on PATH."""
    notes = tmp_path / "notes"
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    if stock:
        fake_stock.install(folder, HOST_LANGUAGES[runtime].stock)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PCLGEN_")}
    environment = {**kept, "PATH": str(folder), "PYTHONPATH": str(ROOT), fake_stock.NOTES: str(notes), **variables}
    process = subprocess.Popen(
        launcher(runtime, *arguments), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with rpc().connect(f"127.0.0.1:{port}") as connection:
            yield Running(process=process, connection=connection, notes=notes)
    finally:
        process.kill()
        process.communicate()
        assert comes_true(lambda: not left(notes))


def launcher(runtime: str, *arguments: str) -> list[str]:
    program = f"import sys; sys.argv[0] = 'host'; from pclgen.host.launch import {runtime}; {runtime}()"
    return [sys.executable, "-c", program, *arguments]


def left(notes: Path) -> list[int]:
    """The running stock hosts."""
    return [start["pid"] for start in fake_stock.noted(notes, "start") if runs(start["pid"])]


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        # Its parent learns of the exit when the last of its threads ends, which may be after the first.
        threads = len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return False
    return state != "Z" or threads > 1


class TestForwarding:
    def test_every_method_arrives_byte_for_byte(self, tmp_path: Path) -> None:
        with running(tmp_path, "-root=/r", "127.0.0.1:1") as host:
            for method in UNARY:
                assert list(host.relay(method, ODD + method.encode())) == [b"echo:" + ODD + method.encode()]
                assert fake_stock.messages(host.notes, method) == [ODD + method.encode()]
            (start,) = fake_stock.noted(host.notes, "start")
            assert start["arguments"] == ["-root=/r", "127.0.0.1:1"]
            calls = [call["path"] for call in fake_stock.noted(host.notes, "call")]
            assert calls == [f"{SERVICE}/{method}" for method in UNARY]

    def test_a_call_without_a_time_limit(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            assert list(host.relay("Link", b"x", timeout=None)) == [b"echo:x"]

    def test_streams_and_metadata(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            call = host.relay("RunPlugin", b"a", b"", b"c" * 5_000_000, metadata=(("who", "me"), ("key-bin", b"\0\xff")))
            assert list(call) == [b"echo:a", b"echo:", b"echo:" + b"c" * 5_000_000]
            assert [tuple(pair) for pair in call.initial_metadata()] == [("early", "1"), ("early-bin", b"\0\1")]
            assert [tuple(pair) for pair in call.trailing_metadata()] == [("late", "2")]
            (note,) = fake_stock.noted(host.notes, "call")
            assert note["metadata"] == [["key-bin", "AP8="], ["who", "me"]]

    def test_a_stream_goes_both_ways_at_once(self, tmp_path: Path) -> None:
        answers: list[bytes] = []

        def requests() -> Iterator[bytes]:
            yield b"0"
            while len(answers) < 3:
                assert comes_true(lambda: bool(answers))
                yield answers[-1]

        with running(tmp_path) as host:
            call = host.connection.relay(f"{SERVICE}/RunPlugin", requests(), timeout=PATIENCE, metadata=())
            for answer in call:
                answers.append(answer)
                if len(answers) >= 3:
                    break
            call.cancel()
        assert answers[0] == b"echo:0" and answers[1].endswith(b"echo:0")

    def test_errors(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            call = host.relay("About", b"x")
            with pytest.raises(rpc().call_error):
                list(call)
            assert (call.code().name, call.details()) == ("OUT_OF_RANGE", "no more of that: é")
            assert [tuple(pair) for pair in call.trailing_metadata()] == [("late-bin", b"\0\3")]

    def test_cancellation(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            call = host.relay("Run", b"x")
            assert [tuple(pair) for pair in call.initial_metadata()] == [("running", "yes")]
            call.cancel()
            assert comes_true(lambda: fake_stock.noted(host.notes, "cancelled") == ["Run"])

    def test_time_limits(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            list(host.relay("Handshake", b""))
            call = host.relay("Run", b"x", timeout=0.5)
            with pytest.raises(rpc().call_error):
                list(call)
            assert call.code().name == "DEADLINE_EXCEEDED"
            assert comes_true(lambda: fake_stock.noted(host.notes, "cancelled") == ["Run"])

    def test_a_crash_is_reported_and_the_next_call_starts_it_anew(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            list(host.relay("Handshake", b"hello"))
            failed = host.failed("Pack")
            assert failed.status == "UNAVAILABLE"
            assert failed.details == (
                "pulumi-language-go ended with exit status 7 during the call; it printed last: on its standard output |"
                " out of memory; the next call starts it anew"
            )
            assert list(host.relay("Link", b"x")) == [b"echo:x"]
            assert len(fake_stock.noted(host.notes, "start")) == 2
            # The new host handshakes with the engine as the old host did.
            assert fake_stock.messages(host.notes, "Handshake") == [b"hello", b"hello"]

    def test_one_that_is_killed_between_calls(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            list(host.relay("Link", b""))
            (pid,) = left(host.notes)
            os.kill(pid, signal.SIGKILL)
            assert comes_true(lambda: not runs(pid))
            assert list(host.relay("Link", b"x")) == [b"echo:x"]

    def test_what_it_prints_is_passed_on(self, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            list(host.relay("Link", b""))
            host.failed("Pack")
            host.process.send_signal(signal.SIGINT)
            out, err = host.process.communicate()
        assert out == "on its standard output\n"
        assert err == "out of memory\n"

    def test_the_variable_names_it(self, tmp_path: Path) -> None:
        program = fake_stock.install(tmp_path / "elsewhere", "my-host")
        with running(tmp_path, stock=False, PCLGEN_LANGUAGE_HOST_GO=str(program)) as host:
            assert list(host.relay("Link", b"x")) == [b"echo:x"]

    def test_a_variable_that_names_nothing(self, tmp_path: Path) -> None:
        with running(tmp_path, PCLGEN_LANGUAGE_HOST_GO="/nowhere/host") as host:
            assert host.failed("Link") == CallFailed(
                status="FAILED_PRECONDITION", details="PCLGEN_LANGUAGE_HOST_GO: there is no program `/nowhere/host` to run"
            )

    def test_one_that_does_not_start(self, tmp_path: Path) -> None:
        (tmp_path / "bin").mkdir()
        broken = tmp_path / "bin" / "pulumi-language-go"
        broken.write_text("#!/bin/sh\necho 'no licence' >&2\nexit 4\n")
        broken.chmod(0o755)
        with running(tmp_path, stock=False) as host:
            failed = host.failed("Run")
        assert failed.status == "UNAVAILABLE"
        assert "ended with exit status 4 before it printed its port" in failed.details and "no licence" in failed.details

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    def test_nothing_is_left(self, number: signal.Signals, tmp_path: Path) -> None:
        with running(tmp_path) as host:
            call = host.relay("Run", b"")
            assert call.initial_metadata()
            assert len(left(host.notes)) == 1
            host.process.send_signal(number)
            host.process.wait()
            assert host.process.returncode == (0 if number is not signal.SIGKILL else -signal.SIGKILL)
            assert comes_true(lambda: not left(host.notes))

    def test_nothing_is_left_when_the_cli_is_gone(self, tmp_path: Path) -> None:
        # The CLI of this test is a shell that starts the host; the test kills the shell.
        folder, notes = tmp_path / "bin", tmp_path / "notes"
        fake_stock.install(folder, "pulumi-language-go")
        environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(ROOT), fake_stock.NOTES: str(notes)}
        environment = {**environment, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
        command = ["/bin/sh", "-c", '"$@" & echo $!; wait', "sh", *launcher("go")]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as shell:
            assert shell.stdout is not None
            pid, port = int(shell.stdout.readline()), int(shell.stdout.readline())
            with rpc().connect(f"127.0.0.1:{port}") as connection:
                list(connection.relay(f"{SERVICE}/Link", iter([b""]), timeout=PATIENCE, metadata=()))
                assert runs(pid) and len(left(notes)) == 1
                shell.kill()
                assert comes_true(lambda: not runs(pid) and not left(notes))


class TestWithoutAStockHost:
    def test_what_the_cli_needs_for_a_conversion_is_answered(self, tmp_path: Path) -> None:
        with running(tmp_path, stock=False) as host:
            for method in ("Handshake", "Link", "Cancel"):
                assert list(host.relay(method, b"")) == [b""]
            info: Any = host.connection.call(f"{SERVICE}/GetPluginInfo", rpc().message("google.protobuf.Empty"), timeout=PATIENCE)
            assert info.version
            request = rpc().message("pulumirpc.GenerateProgramRequest", source={"main.pp": ""})
            response: Any = host.connection.call(f"{SERVICE}/GenerateProgram", request, timeout=PATIENCE)
            assert list(response.source) == ["main.go"]

    @pytest.mark.parametrize("method", ["Run", "InstallDependencies", "GeneratePackage", "About"])
    def test_the_rest_says_what_to_install(self, method: str, tmp_path: Path) -> None:
        with running(tmp_path, stock=False) as host:
            failed = host.failed(method)
        assert failed.status == "FAILED_PRECONDITION"
        assert failed.details.startswith(f"{method} needs Pulumi's own language host, and there is no `pulumi-language-go` on PATH")
        assert "PCLGEN_LANGUAGE_HOST_GO" in failed.details

    def test_sdks_to_link_are_not_forgotten(self, tmp_path: Path) -> None:
        link = {"package": rpc().message("pulumirpc.PackageDependency", name="shop"), "path": "sdks/shop"}
        request = rpc().message("pulumirpc.LinkRequest")
        request.packages.add(**link)
        with running(tmp_path, stock=False) as host:
            failed = host.connection.call(f"{SERVICE}/Link", request, timeout=PATIENCE)
        assert isinstance(failed, CallFailed) and failed.details.startswith("Link needs Pulumi's own language host")


@pytest.mark.parametrize("runtime", HOST_LANGUAGES)
def test_without_grpc_it_says_what_to_install(runtime: str, tmp_path: Path) -> None:
    program = f"import sys; sys.modules['grpc'] = None\nfrom pclgen.host.launch import {runtime}\n{runtime}()"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: pulumi-language-pclgen-{runtime} cannot run: the Python packages grpcio")
    assert "pip install 'pclgen[pulumi]'" in done.stderr


def test_the_first_line_does_not_wait_for_the_compiler() -> None:
    program = (
        "import sys; import pclgen.host.launch, pclgen.host.generation; from pclgen.protocol.rpc import load\n"
        "load(); heavy = {'black', 'networkx', 'lark', 'jinja2', 'pclgen.pipeline', 'pclgen.schema.load', 'yaml'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
