"""The programs `pulumi-language-pclgen-python`, `-nodejs` and `-go`, as the Pulumi CLI starts them.

They take the arguments that the CLI passes to the stock host, print the port as their first line, and serve until they are
stopped or the parent process ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence

from pclgen.host.generation import Generator
from pclgen.host.languages import HOST_LANGUAGES, HostLanguage
from pclgen.host.stock import StockHost
from pclgen.protocol.relay import forwarding
from pclgen.protocol.rpc import Missing, load

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
