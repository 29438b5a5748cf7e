"""Start a plugin's program, and end it (or another program) with all of its children.

A plugin is a program that receives the address of an engine, listens on a port of its choice and prints that port as its
first line (ecosystem 4.2).  Failures are phrases that continue "the plugin".  The output is read all the time (a full pipe
would stop the plugin), and its last lines are kept for messages.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import Self

from msgspec import Struct

from pclgen.protocol import guard
from pclgen.protocol.guard import MARK, end_marked

_CHUNK = 65536
_KEPT_LINES = 12
_LINE_LIMIT = 400
_GRACE = 0.5
_POLL = 0.02
_PORT = re.compile(r"[0-9]{1,5}")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")
HAS_GROUPS = sys.platform != "win32"
"""Whether a process can have a separate group, with which its children end."""


class Outputs(Struct, frozen=True, kw_only=True):
    """Destinations of a plugin's standard output and standard error."""

    out: Callable[[bytes], None]
    error: Callable[[bytes], None]


class _Stream:
    """Reads one output of a process in a thread until `stop`.

    The writing end is kept open here too: a mark written to it ends the thread even if an unknown grandchild holds the pipe
    open.  The mark cannot be guessed, and begins with bytes that texts do not contain.
    """

    def __init__(
        self, lines: deque[str], condition: Condition, *, announces: bool, sink: Callable[[bytes], None] | None
    ) -> None:
        self._announces = announces  # its first line is for us, not for people
        self._hides = announces
        self._sink = sink
        self._end = b"\0" + os.urandom(15)
        self._reader, self.writer = os.pipe()
        self._lines = lines
        self._condition = condition
        self._rest = b""
        self.first: str | None = None  # the first line, once it is whole
        self._thread = Thread(target=self._read, name="pclgen-plugin-output", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        ended = False
        held = b""
        while not ended:
            chunk = os.read(self._reader, _CHUNK)
            text, end, _ = (held + chunk).partition(self._end)
            ended = bool(end) or not chunk
            # The rest of the mark may come with the next chunk.
            cut = next((size for size in range(len(self._end), 0, -1) if text.endswith(self._end[:size])), 0)
            text, held = text[: len(text) - cut], text[len(text) - cut :]
            self._pass_on(text)
            with self._condition:
                self._take(text, whole=ended)
                self._condition.notify_all()

    def _pass_on(self, text: bytes) -> None:
        if self._hides:
            _, line_end, text = text.partition(b"\n")
            self._hides = not line_end
        if text and self._sink is not None:
            with suppress(OSError, ValueError):  # the reader is gone, which must not stop the plugin
                self._sink(text)

    def _take(self, text: bytes, *, whole: bool) -> None:
        *lines, rest = (self._rest + text).split(b"\n")
        if len(rest) > _LINE_LIMIT or (whole and rest):
            lines.append(rest)
            rest = b""
        self._rest = rest
        for raw in lines:
            line = _CONTROL.sub("", raw.decode("utf-8", "replace")).rstrip()[:_LINE_LIMIT]
            if self.first is None and self._announces:
                self.first = line
            elif line:
                self._lines.append(line)

    def stop(self) -> None:
        """Let the thread read the available bytes and end."""
        with suppress(OSError):
            os.write(self.writer, self._end)
        self._thread.join()
        os.close(self.writer)
        os.close(self._reader)


class PluginProcess:
    """A running plugin.  Stop it, or use it in a `with`: then no process or thread of it remains."""

    def __init__(self, command: Sequence[str | Path], *, outputs: Outputs | None = None, guarded: bool = False) -> None:
        """Start the process.

        Its output after the port also goes to `outputs`.  A `guarded` process ends even when this process is killed.  Raises
        `OSError` when the system cannot start it.
        """
        self.port: int = 0
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._condition = Condition()
        self._reading = True
        self._out = _Stream(self._lines, self._condition, announces=True, sink=outputs.out if outputs else None)
        self._error = _Stream(self._lines, self._condition, announces=False, sink=outputs.error if outputs else None)
        self._environment = marked_environment()
        self._guard: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=self._out.writer,
                stderr=self._error.writer,
                env=self._environment,
                # Its children go with it, and Ctrl-C at the terminal is ours to handle.
                start_new_session=HAS_GROUPS,
            )
        except BaseException:  # Ctrl-C as well: the threads that read must end; it goes on
            self._stop_reading()
            raise
        try:
            self._guard = _start_guard(self._environment) if guarded else None
        except BaseException:  # Ctrl-C as well: without its guard it must not run; it goes on
            self.stop()
            raise

    @property
    def printed(self) -> tuple[str, ...]:
        """The last lines of both outputs; complete after `stop` or `read_rest`."""
        with self._condition:
            return tuple(self._lines)

    def ended(self) -> str | None:
        """Return how the process ended ("ended with exit status 3"), or None while it runs."""
        status = self._process.poll()
        if status is None:
            return None
        if status >= 0:
            return f"ended with exit status {status}"
        try:
            return f"was ended by the signal {signal.Signals(-status).name}"
        except ValueError:
            return f"was ended by the signal {-status}"

    def wait_ended(self, seconds: float) -> str | None:
        """Wait up to `seconds` for the end of the process; return how it ended, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self.ended()

    def wait_for_port(self, deadline: float, within: str) -> str | None:
        """Wait until the process has printed its port, up to `deadline` on the monotonic clock; return the failure, if any.

        `within` are the words for the time limit: "within 30 s".
        """
        ended: str | None = None
        while True:
            with self._condition:
                if self._out.first is None and ended is None:
                    self._condition.wait(max(0.0, min(_POLL, deadline - time.monotonic())))
                first = self._out.first
            if first is not None:
                return self._take_port(first)
            if ended is not None:
                return f"{ended} before it printed its port"
            ended = self.ended()
            if ended is None and time.monotonic() >= deadline:
                return f"did not print its port {within}"
            if ended is not None:
                self._stop_reading()  # its last output may be its port, or the reason

    def _take_port(self, line: str) -> str | None:
        if _PORT.fullmatch(line) is not None and 0 < int(line) < 65536:
            self.port = int(line)
            return None
        return f"must print its port first, but printed {f'`{line}`' if line else 'an empty line'}"

    def stop(self) -> None:
        """End the process and everything that it started."""
        try:
            end_process(self._process, self._environment)
        finally:
            self._stop_reading()
            if self._guard is not None:
                self._guard.communicate()  # the end of its input is all that it waits for

    def read_rest(self) -> None:
        """Read the remaining output of a process that ended."""
        self._stop_reading()

    def _stop_reading(self) -> None:
        with self._condition:
            reads, self._reading = self._reading, False
        if reads:
            self._out.stop()
            self._error.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def marked_environment() -> Mapping[str, str]:
    """Return the environment for a process to start.

    It has a mark that all children inherit: `end_process` uses it to find children that left their group.
    """
    return {**os.environ, MARK: os.urandom(16).hex()}


def end_process(process: subprocess.Popen[bytes], environment: Mapping[str, str]) -> None:
    """End a process that was started in `environment`, and everything that it started: with SIGTERM, then by force.

    It must have a separate session where there are groups (`start_new_session`).  Children outside of it are found on Linux,
    by the mark of their environment, unless they removed the mark, too.
    """
    try:
        if process.poll() is None:
            with suppress(OSError):  # it may be gone by now
                if HAS_GROUPS:
                    os.killpg(process.pid, signal.SIGTERM)
                else:
                    process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
    finally:
        with suppress(OSError):
            if HAS_GROUPS:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        end_marked(environment[MARK])
        process.wait()


def _start_guard(environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a process that waits for the end of this one, for any reason, and then ends the processes with the mark of
    `environment`.
    """
    # A script there, which finds nothing but the standard library: it starts at once, and no folder is imported from.
    command = [sys.executable, "-I", "-S", guard.__file__, environment[MARK]]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=HAS_GROUPS,
    )
