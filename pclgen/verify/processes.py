"""Processes that run programs: workers for many jobs, and single programs.

A worker that is closed, or whose job exceeds its time limit, is killed with all processes that it started.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct
from msgspec.structs import asdict

from pclgen.verify.watching import TIMED_OUT, Patience, Watch


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
