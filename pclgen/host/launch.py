"""The programs `pulumi-language-pclgen-python`, `-nodejs` and `-go`, as the Pulumi CLI starts them.

They take the arguments that the CLI passes to the stock host, print the port as their first line, and serve until they are
stopped or the parent process ends.

Pulumi's stock host of the language (`StockHost`) handles all requests except program generation. The first call that is
forwarded to it (`protocol.rpc`) starts it, and after a crash the next call starts it again. Without a stock host, pclgen
gives the few answers that the CLI requires.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import BinaryIO
from weakref import WeakKeyDictionary

from pclgen.host.generation import Generator
from pclgen.host.languages import HOST_LANGUAGES, HostLanguage
from pclgen.protocol.process import Outputs, PluginProcess
from pclgen.protocol.rpc import LOCALHOST, Connection, Missing, OwnAnswer, Refused, Rpc, forwarding, load
from pclgen.version import VERSION

_CALLS = 256
"""Concurrent calls: each running program or plugin holds one."""
_STACK = 64 * 1024 * 1024
_LOOK = 1.0


def serve(language: HostLanguage, arguments: Sequence[str], announce: Callable[[int], None]) -> str | None:
    """Serve until a signal (SIGINT, SIGTERM) or the end of the parent; `announce` receives the port.

    Return None, or the reason why it cannot serve. No thread is joined: the caller ends the process with `leave`.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    parent = os.getppid()
    rpc = load()
    if isinstance(rpc, Missing):
        return rpc.reason
    threading.stack_size(_STACK)  # compilations recurse over expressions
    stock = StockHost(rpc, language, arguments)
    generator = Generator(rpc=rpc, language=language, lock=threading.Lock())
    server = rpc.serve(generator.handlers(), threads=_CALLS, others=forwarding(stock))
    try:
        announce(server.port)
        threading.Thread(target=generator.warm_up, name="pclgen-warm-up", daemon=True).start()
        while not stop.wait(_LOOK) and os.getppid() == parent:
            pass
    finally:
        stock.stop()
    return None


def leave(status: int) -> None:
    """End the process now, without waiting for threads; the next run completes or reverts interrupted writes."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 1
    os._exit(status)


def _launch(language: HostLanguage) -> None:
    reason = serve(language, sys.argv[1:], _announce)
    if reason is not None:
        print(f"error: {language.ours} cannot run: {reason}", file=sys.stderr)
    leave(1 if reason is not None else 0)


def _announce(port: int) -> None:
    print(port, flush=True)


def python() -> None:
    """The host for Python."""
    _launch(HOST_LANGUAGES["python"])


def nodejs() -> None:
    """The host for TypeScript."""
    _launch(HOST_LANGUAGES["nodejs"])


def go() -> None:
    """The host for Go."""
    _launch(HOST_LANGUAGES["go"])


# -- the stock host ---------------------------------------------------------------------------------------------------------

TIME_LIMIT = 30.0
"""Time limit for the stock host to announce its port, in seconds."""
_SERVICE = "/pulumirpc.LanguageRuntime"
_HANDSHAKE = f"{_SERVICE}/Handshake"
_CANCEL = f"{_SERVICE}/Cancel"
_WAIT = 1.0


class StockHost:
    """The stock host of one language, for any number of concurrent calls; call `stop` at the end."""

    def __init__(
        self,
        rpc: Rpc,
        language: HostLanguage,
        arguments: Sequence[str] = (),
        *,
        environment: Mapping[str, str] = os.environ,
        limit: float = TIME_LIMIT,
    ) -> None:
        """`arguments` are the arguments that the CLI passed to pclgen's host."""
        self._rpc = rpc
        self._language = language
        self._arguments = arguments
        self._environment = environment
        self._limit = limit
        self._lock = Lock()
        self._stopped = False
        self._running: tuple[PluginProcess, Connection] | None = None
        self._processes: WeakKeyDictionary[Connection, PluginProcess] = WeakKeyDictionary()
        self._handshake: bytes | None = None
        self._own_answers: Mapping[str, OwnAnswer] = {
            _HANDSHAKE: self._empty,
            _CANCEL: self._empty,
            f"{_SERVICE}/GetPluginInfo": self._info,
            f"{_SERVICE}/Link": self._link,
        }

    def reach(self, path: str) -> Connection | OwnAnswer:
        """Return the connection to the host, after starting it if necessary, or pclgen's own answer. Raises `Refused`."""
        with self._lock:
            if self._stopped:
                raise Refused("UNAVAILABLE", f"{self._language.ours} is being stopped")
            if self._running is not None:
                process, connection = self._running
                if process.ended() is None:
                    return connection
                self._end()
            if path == _CANCEL:
                return self._empty  # no host runs
            program = self._find()
            if program is None:
                answer = self._own_answers.get(path)
                if answer is None:
                    raise Refused("FAILED_PRECONDITION", self._missing(path))
                return answer
            return self._start(program, greet=path != _HANDSHAKE)

    def sent(self, path: str, request: bytes) -> None:
        """Store the handshake of the CLI for a restarted host."""
        if path == _HANDSHAKE:
            self._handshake = request

    def lost(self, connection: Connection) -> str | None:
        """Return how the host behind `connection` ended; None while it runs."""
        process = self._processes.get(connection)
        ended = process.wait_ended(_WAIT) if process is not None else None
        if process is None or ended is None:
            return None
        process.read_rest()
        return f"{self._language.stock} {ended} during the call{_last_output(process)}; the next call starts it anew"

    def stop(self) -> None:
        """Stop the host, and do not start it again."""
        with self._lock:
            self._stopped = True
            self._end()

    def _end(self) -> None:
        if self._running is not None:
            process, connection = self._running
            self._running = None
            connection.close()
            process.stop()

    def _find(self) -> Path | None:
        """Return the program of the host. Raises `Refused` for a setting that names no program."""
        named = self._environment.get(self._language.variable)
        if named:
            path = shutil.which(named, path=self._environment.get("PATH", ""))
            if path is None:
                raise Refused("FAILED_PRECONDITION", f"{self._language.variable}: there is no program `{named}` to run")
            return Path(path)
        path = shutil.which(self._language.stock, path=self._environment.get("PATH", ""))
        if path is not None:
            return Path(path)
        cli = shutil.which("pulumi", path=self._environment.get("PATH", ""))
        beside = Path(cli).resolve().parent / self._language.stock if cli is not None else None
        return beside if beside is not None and os.access(beside, os.X_OK) else None

    def _start(self, program: Path, *, greet: bool) -> Connection:
        outputs = Outputs(out=_writer(sys.stdout.buffer), error=_writer(sys.stderr.buffer))
        try:
            process = PluginProcess([program, *self._arguments], outputs=outputs, guarded=True)
        except OSError as error:
            raise Refused("UNAVAILABLE", f"cannot start `{program}`: {error.strerror or error}") from None
        failed = process.wait_for_port(time.monotonic() + self._limit, f"within {self._limit:g} s")
        if failed is not None:
            process.stop()
            raise Refused("UNAVAILABLE", f"`{program}` {failed}{_last_output(process)}")
        connection = self._rpc.connect(f"{LOCALHOST}:{process.port}")
        self._running = (process, connection)
        self._processes[connection] = process
        if greet and self._handshake is not None:
            call = connection.relay(_HANDSHAKE, iter([self._handshake]), timeout=self._limit, metadata=())
            with suppress(self._rpc.call_error):  # the next call reports a host that fails
                list(call)
        return connection

    def _missing(self, path: str) -> str:
        """Return the message for a call that needs the host, which is not installed."""
        name = path.rpartition("/")[2]
        return (
            f"{name} needs Pulumi's own language host, and there is no `{self._language.stock}` on PATH; it comes with the"
            f" Pulumi CLI (https://www.pulumi.com/docs/install/): install that, or name it in {self._language.variable}"
        )

    def _empty(self, request: bytes) -> bytes:
        del request
        return b""

    def _info(self, request: bytes) -> bytes:
        del request
        answer: bytes = self._rpc.message("pulumirpc.PluginInfo", version=VERSION).SerializeToString()
        return answer

    def _link(self, request: bytes) -> bytes:
        link = self._rpc.parse(self._rpc.message_class("pulumirpc.LinkRequest"), request)
        if link is None:
            raise Refused("INVALID_ARGUMENT", "the request is no message `pulumirpc.LinkRequest`")
        if link.packages:
            raise Refused("FAILED_PRECONDITION", self._missing(f"{_SERVICE}/Link"))
        return b""


def _last_output(process: PluginProcess) -> str:
    printed = process.printed
    return f"; it printed last: {' | '.join(printed)}" if printed else ""


def _writer(stream: BinaryIO) -> Callable[[bytes], None]:
    def write(text: bytes) -> None:
        stream.write(text)
        stream.flush()

    return write
