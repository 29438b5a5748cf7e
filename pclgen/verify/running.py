"""Running staged programs under the monitor.

Comes in: staged programs, runners and settings.  Goes out: traces, each with the reason of a failure in its log.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from pclgen.evaluate.models import Models
from pclgen.evaluate.settings import Settings
from pclgen.protocol.rpc import Rpc
from pclgen.records import dataclass
from pclgen.trace.model import LogEntry, Trace
from pclgen.verify.launch import Runner
from pclgen.verify.monitor import Monitor
from pclgen.verify.processes import STALLED, TIMED_OUT, Ended, Job
from pclgen.verify.subjects import Staged
from pclgen.verify.watching import Patience

DEFAULT_TIMEOUT: Final = 120.0
"""Seconds that a program may run; a run takes less than one."""
DEFAULT_IDLE: Final = 10.0
"""Seconds after which a program ends that makes no progress."""

_NOISE: Final = re.compile(
    r"^\s*(?:at |File |goroutine |\[signal|\S+\.Main\(|main\.|\S+\.go:\d+|\S+\(\S*\)$|exit status|created by|\^+$|warning:)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How programs are run: the means to speak gRPC, what providers answer, the seconds that a program has, in all and
    without progress (`idle`)."""

    rpc: Rpc
    models: Models
    logs: Path
    timeout: float = DEFAULT_TIMEOUT
    idle: float = DEFAULT_IDLE


def run_staged(launch: Launch, runner: Runner, staged: Staged, settings: Settings) -> Trace:
    """Run a program once; its trace, also when it fails.  Raises `OSError` when it cannot be started."""
    mode = "preview" if settings.preview else "update"
    log = launch.logs / f"{staged.subject.key}{staged.language}-{mode}.log"
    with Monitor(launch.rpc, settings, launch.models) as monitor:
        job = Job(
            folder=staged.folder,
            log=log,
            monitor=monitor.address,
            project=settings.project or staged.subject.name,
            stack=settings.stack,
            organization=settings.organization,
            preview=settings.preview,
            config={key: value.text for key, value in settings.config.items()},
            secret_keys=sorted(key for key, value in settings.config.items() if value.secret),
        )
        patience = Patience(timeout=launch.timeout, idle=launch.idle, progress=lambda: (monitor.activity(), _size(log)))
        ended = runner.run(staged, job, patience)
    trace = monitor.trace(staged.language, failed=ended.status != 0)
    if ended.status == 0 or any(entry.severity == "error" for entry in trace.log):
        return trace
    return replace(trace, log=(*trace.log, LogEntry(severity="error", message=_reason(ended, launch))))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _reason(ended: Ended, launch: Launch) -> str:
    """Why a program failed that did not say so to the engine."""
    if ended.status == TIMED_OUT:
        return f"it did not end within {launch.timeout:g} seconds"
    if ended.status == STALLED:
        return f"it made no progress for {launch.idle:g} seconds"
    lines = [line.strip() for line in ended.printed.splitlines() if line.strip()]
    said = [line for line in lines if not _NOISE.match(line)]
    panics = [line for line in said if line.startswith("panic:")]
    return (panics or said)[-1] if said else f"it ended with status {ended.status} and said nothing"


class Pool:
    """Runners of one language, made when they are needed, and each used by one thread at a time."""

    def __init__(self, make: Callable[[], Runner]) -> None:
        self._make = make
        self._idle: list[Runner] = []
        self._all: list[Runner] = []
        self._lock = threading.Lock()

    def take(self) -> Runner:
        """A runner that nobody uses."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
            made = self._make()
            self._all.append(made)
            return made

    def give(self, runner: Runner) -> None:
        """Give it back."""
        with self._lock:
            self._idle.append(runner)

    def close(self) -> None:
        """End all of them."""
        for runner in self._all:
            runner.close()
