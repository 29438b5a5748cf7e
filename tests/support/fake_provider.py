"""A provider plugin for tests: `install` writes a program `pulumi-resource-NAME` with real gRPC and configured behavior.

The program is a small script; it imports pclgen's server from this tree.  Its behavior is in the JSON beside it: `mode` is
how it misbehaves (below), `schema` its answer, `packages` the results of Parameterize, `pids` a file to which it
adds the process ids of itself and its children.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE, comes_true

SCHEMA: Mapping[str, Any] = {
    "name": "shop",
    "version": "1.2.3",
    "resources": {
        "shop:index:Server": {
            "inputProperties": {"size": {"type": "integer"}},
            "requiredInputs": ["size"],
            "properties": {"size": {"type": "integer"}, "address": {"type": "string"}},
            "required": ["size", "address"],
        }
    },
}

_SCRIPT = """\
#!{python}
import sys
sys.path.insert(0, {root!r})
from tests.support.fake_provider import main
main(__file__ + ".json")
"""


def install(
    directory: Path,
    name: str = "shop",
    *,
    mode: str = "good",
    schema: Mapping[str, Any] | None = SCHEMA,
    packages: Mapping[str, Mapping[str, Any]] | None = None,
) -> Path:
    """Write the plugin into `directory` and return its program; `packages` are schemas by the text of the parameter."""
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / f"pulumi-resource-{name}"
    program.write_text(_SCRIPT.format(python=sys.executable, root=str(ROOT)))
    program.chmod(0o755)
    settings = {"mode": mode, "schema": schema, "packages": packages or {}, "pids": str(pids_file(program))}
    Path(f"{program}.json").write_text(json.dumps(settings))
    return program


def pids_file(program: Path) -> Path:
    """The file in which the plugin records its processes."""
    return Path(f"{program}.pids")


def left_processes(program: Path) -> list[int]:
    """The processes of the plugin that still run after a grace period."""
    comes_true(lambda: not _running(program))
    return _running(program)


def _running(program: Path) -> list[int]:
    noted = pids_file(program).read_text().split() if pids_file(program).exists() else []
    return [int(pid) for pid in noted if _runs(int(pid))]


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # a zombie, whose parent was killed with it


def main(settings_path: str) -> None:
    """Be the plugin."""
    settings = json.loads(Path(settings_path).read_text())
    mode = settings["mode"]
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the CLI's signal to end its plugins
    with open(settings["pids"], "a") as file:
        file.write(f"{os.getpid()}\n")
    assert len(sys.argv) == 2 and sys.argv[1].startswith("127.0.0.1:"), sys.argv
    _before_the_port(mode, settings["pids"])
    from pclgen.protocol.rpc import Rpc, load

    rpc = load()
    assert isinstance(rpc, Rpc)
    service = _Service(rpc, settings)
    with rpc.serve(service.handlers()) as server:
        print(server.port, flush=True)
        if mode == "noise":
            for number in range(20_000):
                print(f"\0line {number} " + "x" * 100 + "\0", flush=number % 100 == 0)
        server.wait(60)


def _before_the_port(mode: str, pids: str) -> None:
    match mode:
        case "silent":
            print("still loading", file=sys.stderr, flush=True)
            time.sleep(60)
        case "stubborn":
            import signal

            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            child = os.fork()
            if child == 0:
                os.close(0)
                time.sleep(60)
            with open(pids, "a") as file:
                file.write(f"{child}\n")
            time.sleep(60)
        case "escaped":
            waiting, ready = os.pipe()
            if os.fork() == 0:
                os.setsid()
                with open(pids, "a") as file:
                    file.write(f"{os.getpid()}\n")
                os.write(ready, b".")
                time.sleep(60)
            os.read(waiting, 1)
            os._exit(4)
        case "crash":
            print("\x1b[31mno licence\x1b[0m was found", file=sys.stderr, flush=True)
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), 9)
        case "rubbish":
            print("Welcome to the shop", flush=True)
            time.sleep(60)
        case "endless":
            while True:
                sys.stdout.write("x" * 10_000)
        case "nobody":
            print(_free_port(), flush=True)
            time.sleep(60)
        case "deaf":
            import socket

            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            time.sleep(60)
        case "web":
            import http.server

            web = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
            print(web.server_port, flush=True)
            web.serve_forever()


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


class _Service:
    """The answers of the plugin."""

    def __init__(self, rpc: Any, settings: Mapping[str, Any]) -> None:
        self._rpc = rpc
        self._settings = settings
        self._mode: str = settings["mode"]
        self._package: Mapping[str, Any] | None = None

    def handlers(self) -> dict[str, Any]:
        rpc, mode = self._rpc, self._mode
        table: dict[str, Any] = {
            "/pulumirpc.ResourceProvider/GetSchema": self.schema,
            "/pulumirpc.ResourceProvider/GetPluginInfo": self.info,
        }
        if mode != "old":
            table["/pulumirpc.ResourceProvider/Handshake"] = self.handshake
        if self._settings["packages"]:
            table["/pulumirpc.ResourceProvider/Parameterize"] = self.parameterize
        if mode == "unimplemented":
            table.pop("/pulumirpc.ResourceProvider/GetSchema")
        if mode == "garbled":
            table["/pulumirpc.ResourceProvider/GetSchema"] = lambda request: rpc.message("pulumirpc.PluginInfo", version="x")
        return table

    def handshake(self, request: Any) -> Any:
        assert request.engine_address == sys.argv[1]
        assert Path(request.root_directory).is_dir()
        return self._rpc.message("pulumirpc.ProviderHandshakeResponse")

    def info(self, request: Any) -> Any:
        version = (self._settings["schema"] or {}).get("version", "")
        return self._rpc.message("pulumirpc.PluginInfo", version=version)

    def parameterize(self, request: Any) -> Any:
        from pclgen.protocol.rpc import Refused

        value = request.value.value.decode()
        package = self._settings["packages"].get(value)
        if package is None:
            raise Refused("INVALID_ARGUMENT", f"nothing is known of {value}")
        self._package = package
        fields = {"name": package["name"], "version": package["version"]}
        return self._rpc.message("pulumirpc.ParameterizeResponse", **fields)

    def schema(self, request: Any) -> Any:
        from pclgen.protocol.rpc import Refused

        match self._mode:
            case "hang":
                print("reading a hundred files", file=sys.stderr, flush=True)
                time.sleep(60)
            case "die":
                print("panic: index out of range", file=sys.stderr, flush=True)
                os._exit(2)
            case "refuse":
                self._log("the shop is closed on Sundays")
                raise Refused("FAILED_PRECONDITION", "closed")
            case "no json":
                return self._rpc.message("pulumirpc.GetSchemaResponse", schema="<html>")
            case "empty":
                return self._rpc.message("pulumirpc.GetSchemaResponse")
        package = self._package
        if package is not None:
            assert (request.subpackage_name, request.subpackage_version) == (package["name"], package["version"])
        text = json.dumps(package if package is not None else self._settings["schema"])
        return self._rpc.message("pulumirpc.GetSchemaResponse", schema=text)

    def _log(self, message: str) -> None:
        with self._rpc.connect(sys.argv[1]) as engine:
            request = self._rpc.message("pulumirpc.LogRequest", severity=3, message=message)
            engine.call("/pulumirpc.Engine/Log", request, timeout=PATIENCE)


def encoded(value: str) -> str:
    """A parameter as in `package` blocks and schemas."""
    return base64.b64encode(value.encode()).decode()
