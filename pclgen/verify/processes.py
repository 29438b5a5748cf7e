"""Processes that run programs, and their time limits: workers for many jobs, and single programs.

A worker that is closed, or whose job exceeds its time limit, is killed with all processes that it started.

Time is limited for the whole run of a program, and for phases without progress. A program makes progress while it computes,
while the monitor answers it, and when it sends a request or prints. A program waiting for an answer that it cannot read does
none of these.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import asdict


class ToolError(Exception):
    """A tool cannot be run, or its output is unintelligible: its programs are not verified.

    The text is a sentence. `keys` are the programs that cause the failure (empty: unknown). With `everywhere` the cause
    lies in no program, and fewer programs would not help.
    """

    def __init__(self, reason: str, *, keys: Iterable[str] = (), everywhere: bool = False) -> None:
        super().__init__(reason)
        self.keys: frozenset[str] = frozenset(keys)
        self.everywhere = everywhere


class Ended(Struct, frozen=True, kw_only=True):
    """The end of a program: its exit status (`TIMED_OUT`, `STALLED`, or from a signal) and its output."""

    status: int
    printed: str


class Job(Struct, frozen=True, kw_only=True):
    """A program to run, in the format of the workers. `folder` is named by the key of the program."""

    folder: Path
    log: Path
    monitor: str
    project: str
    stack: str
    organization: str
    preview: bool
    config: Mapping[str, str]
    secret_keys: Sequence[str]

    def to_json(self) -> str:
        """Return one line of JSON."""
        return json.dumps(asdict(self), default=str)


class Worker:
    """A process that runs jobs one after the other; started for the first job, and again after it has ended."""

    def __init__(self, command: Sequence[str | Path], *, environment: Mapping[str, str]) -> None:
        self._command = [str(part) for part in command]
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None

    def run(self, job: Job, patience: Patience) -> Ended:
        """Run a job until it ends or `patience` is exhausted. Raises `OSError` if the worker cannot be started."""
        job.log.touch()
        process = self._running()
        assert process.stdin is not None and process.stdout is not None  # both are pipes
        with Watch(process.pid, patience, lambda: _kill(process)) as watch:
            with suppress(BrokenPipeError):  # it has ended: there will be no answer either
                process.stdin.write(job.to_json() + "\n")
                process.stdin.flush()
            answer = process.stdout.readline()
        printed = job.log.read_text(encoding="utf-8", errors="replace")
        if answer:
            reply = json.loads(answer)
            if reply.get("last"):  # it ends now: the next job needs another one
                self._end()
            return Ended(status=reply["status"], printed=printed)
        status = self._end()
        return Ended(status=watch.stopped or status or 1, printed=printed)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                env=dict(self._environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                # A separate group, so that its child processes can be stopped with it.
                start_new_session=True,
            )
        return self._process

    def _end(self) -> int:
        """Kill the process if it still runs, and return its status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdin is not None and process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            status = process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            _kill(process)
            status = process.wait()
        process.stdout.close()
        return status

    def close(self) -> None:
        """End the process."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def run_watched(
    command: Sequence[str | Path], *, folder: Path, environment: Mapping[str, str], patience: Patience
) -> Ended:
    """Run one generated program in its own process. Raises `OSError`."""
    with _started(command, folder, environment) as process:
        with Watch(process.pid, patience, lambda: _kill(process)) as watch:
            printed, _ = process.communicate()
        return Ended(status=watch.stopped or process.returncode, printed=printed)


def run_program(command: Sequence[str | Path], *, folder: Path, environment: Mapping[str, str], timeout: float) -> Ended:
    """Run a tool in its own process, for at most `timeout` seconds. Raises `OSError`."""
    with _started(command, folder, environment) as process:
        try:
            printed, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            _kill(process)
            printed, _ = process.communicate()
            return Ended(status=TIMED_OUT, printed=printed)
        return Ended(status=process.returncode, printed=printed)


def _started(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


# -- time limits ------------------------------------------------------------------------------------------------------------

TIMED_OUT: Final = -1
"""The status of a process stopped at its time limit."""
STALLED: Final = -1000
"""The status of a process stopped without progress."""
_LOOK: Final = 0.5
"""Seconds between two checks of a program."""
_BUSY: Final = 0.02
"""Minimum fraction of its time for which an active process computes."""
_BLIND: Final = 60.0
"""Seconds without progress where the system does not report computing time."""


class Patience(Struct, frozen=True, kw_only=True):
    """The time limits of a program: `timeout` seconds, and `idle` seconds without progress.

    `progress` returns a value that changes with activity that the program's process does not show.
    """

    timeout: float
    idle: float = 10.0
    progress: Callable[[], object] = lambda: None


class Watch:
    """Watches one process group, and calls `stop` when it exceeds a limit; `stopped` is the status then, and 0 before."""

    def __init__(self, group: int, patience: Patience, stop: Callable[[], None]) -> None:
        self._group = group
        self._patience = patience
        self._stop = stop
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.stopped: int = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        began = time.monotonic()
        for idle in self._idle():
            if time.monotonic() - began > self._patience.timeout:
                self.stopped = TIMED_OUT
            elif idle:
                self.stopped = STALLED
            if self.stopped:
                self._stop()
                return

    def _idle(self) -> Iterator[bool]:
        """Yield at each check whether there was no progress for too long."""
        since, seen, used = time.monotonic(), self._patience.progress(), computed(self._group)
        while not self._ended.wait(min(_LOOK, self._patience.timeout)):
            now, progress, spent = time.monotonic(), self._patience.progress(), computed(self._group)
            if progress != seen or _is_busy(used, spent, now - since):
                since, seen, used = now, progress, spent
            yield now - since > (_BLIND if spent is None else self._patience.idle)


class Computed(Struct, frozen=True, kw_only=True):
    """The computing time of a process group in seconds; `waits` if a process now waits for a processor or a disk."""

    seconds: float
    waits: bool


def _is_busy(before: Computed | None, now: Computed | None, seconds: float) -> bool:
    if before is None or now is None:
        return False
    return now.waits or now.seconds - before.seconds > _BUSY * seconds


def computed(group: int) -> Computed | None:
    """Return the computing time of a process group; None if the system does not report it."""
    ticks, waits, exists = 0, False, False
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # Fields after the name, which may contain anything: state, parent, group; the 12th to 15th are ticks.
            words = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(words[2]) == group:
                exists = True
                ticks += sum(map(int, words[11:15]))
                waits = waits or words[0] in "RD"
    return Computed(seconds=ticks / os.sysconf("SC_CLK_TCK"), waits=waits) if exists else None
