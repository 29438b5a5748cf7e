"""A stock language host for tests: a program that records its requests byte for byte; the method determines its behavior.

    Run           streams nothing and waits until it is cancelled
    RunPlugin     answers every message immediately, with metadata on both ends
    About         refuses with a status, details and metadata
    Pack          ends in the middle of the call
    everything    answers the request's bytes after `echo:`

It records calls as lines of JSON in the file of the variable FAKE_STOCK_NOTES, and its process id there, too.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE

NOTES = "FAKE_STOCK_NOTES"
ANSWER = "FAKE_STOCK_ANSWER"
"""The variable that makes the answers empty messages, for callers that read them."""

_SCRIPT = """\
#!{python}
import sys
sys.path.insert(0, {root!r})
from tests.support.fake_stock import main
main()
"""


def install(folder: Path, name: str) -> Path:
    """Write the program into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(_SCRIPT.format(python=sys.executable, root=str(ROOT)))
    program.chmod(0o755)
    return program


def noted(notes: Path, kind: str) -> list[Any]:
    """The recorded lines of one kind: `start`, `call`, `message`, `cancelled`."""
    rows = [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []
    return [row["value"] for row in rows if row["kind"] == kind]


def _note(kind: str, value: Any) -> None:
    with open(os.environ[NOTES], "a") as file:
        file.write(json.dumps({"kind": kind, "value": value}) + "\n")


def main() -> None:
    """Be the host."""
    import grpc

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the CLI's signal to end its plugins
    _note("start", {"pid": os.getpid(), "arguments": sys.argv[1:]})

    class Handler(grpc.GenericRpcHandler):  # type: ignore[type-arg]  # it is none at run time
        def service(self, details: Any) -> Any:
            metadata = [[key, _text(value)] for key, value in details.invocation_metadata if key != "user-agent"]
            _note("call", {"path": details.method, "metadata": sorted(metadata)})
            return grpc.stream_stream_rpc_method_handler(_Method(grpc, details.method.rpartition("/")[2]).answer)

    server = grpc.server(ThreadPoolExecutor(max_workers=16), options=(("grpc.max_receive_message_length", -1),))
    server.add_generic_rpc_handlers((Handler(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    print("on its standard output", flush=True)
    server.wait_for_termination(PATIENCE)


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else base64.b64encode(value).decode()


class _Method:
    def __init__(self, grpc: Any, name: str) -> None:
        self.grpc = grpc
        self.name = name

    def answer(self, requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
        match self.name:
            case "Run":
                over = threading.Event()
                context.add_callback(over.set)
                context.send_initial_metadata((("running", "yes"),))
                over.wait(PATIENCE)
                _note("cancelled", self.name)
            case "RunPlugin":
                context.send_initial_metadata((("early", "1"), ("early-bin", b"\0\1")))
                yield from self._echo(requests)
                context.set_trailing_metadata((("late", "2"),))
            case "About":
                context.set_trailing_metadata((("late-bin", b"\0\3"),))
                context.abort(self.grpc.StatusCode.OUT_OF_RANGE, "no more of that: é")
            case "Pack":
                print("out of memory", file=sys.stderr, flush=True)
                os._exit(7)
            case _:
                yield from self._echo(requests)

    def _echo(self, requests: Iterator[bytes]) -> Iterator[bytes]:
        for request in requests:
            _note("message", [self.name, base64.b64encode(request).decode()])
            yield b"echo:" + request if ANSWER not in os.environ else b""


def messages(notes: Path, method: str) -> Sequence[bytes]:
    """The messages of one method that arrived, in order."""
    return [base64.b64decode(text) for name, text in noted(notes, "message") if name == method]
