"""Runs of staged programs under the monitor.

When a run fails, the reason names the lines of the generated program in the stack that it prints.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pclgen.evaluate.models import Models
from pclgen.evaluate.settings import Settings
from pclgen.protocol.rpc import Rpc
from pclgen.trace.model import LogEntry, Trace
from pclgen.verify.launch import Runner
from pclgen.verify.monitor import Monitor
from pclgen.verify.processes import STALLED, TIMED_OUT, Ended, Job, Patience
from pclgen.verify.subjects import Staged

# -- stacks of failing runs -------------------------------------------------------------------------------------------------

_FRAMES: Final[Mapping[str, re.Pattern[str]]] = {
    "python": re.compile(r'^\s*File "(?P<path>.+?)", line (?P<line>\d+)', re.MULTILINE),
    "typescript": re.compile(r"^\s*at (?:async )?(?:.*\()?(?P<path>[^()\n]+?):(?P<line>\d+):\d+\)?$", re.MULTILINE),
    "go": re.compile(r"^\s*(?P<path>\S.*\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$", re.MULTILINE),
}
RETURNED: Final = "pclgen: returned"
"""The line before the places at which a Go program returns an error, the innermost one first."""
_PLACES: Final = re.compile(r"(?:^  at [^:\n]+:\d+: .*\n?)+\Z", re.MULTILINE)
_PLACE: Final = re.compile(r"^  at (?P<file>[^:\n]+):(?P<line>\d+): ", re.MULTILINE)


class Place(Struct, frozen=True):
    """A line (from 1) of a generated file, whose path is relative to the output folder."""

    file: PurePosixPath
    line: int


def places_in_stack(staged: Staged, printed: str) -> tuple[Place, ...]:
    """Return the lines of a staged program in the stack of its failure, the innermost one first."""
    places = list(_frames(staged, printed))
    # Python prints the innermost frame last, and of several exceptions the one that ended the program.
    return tuple(dict.fromkeys(reversed(places) if staged.language == "python" else places))


def _frames(staged: Staged, printed: str) -> Iterator[Place]:
    panics = "\ngoroutine " in printed
    for match in _FRAMES[staged.language].finditer(printed if panics else printed.rpartition(f"{RETURNED}\n")[2]):
        path = Path(match["path"])
        # Go programs run as packages of one module; such a package is named by the program's key.
        folder = path.parent if staged.language == "go" and path.parent.name == staged.subject.key else staged.folder
        if path.is_relative_to(folder):
            file = PurePosixPath(path.relative_to(folder).as_posix())
            if file in staged.files:
                yield Place(file, int(match["line"]))


def with_generated_lines(reason: str, places: Sequence[Place], staged: Staged) -> str:
    """Return the reason of a failure with the generated lines of its stack below it."""
    lines = [reason]
    for place in places:
        text = staged.files[place.file].split("\n")
        shown = text[place.line - 1].strip() if 1 <= place.line <= len(text) else ""
        lines.append(f"  at {place.file}:{place.line}: {shown}")
    return "\n".join(lines)


def places_in(message: str) -> tuple[Place, ...]:
    """Return the places that `with_generated_lines` wrote at the end of a message."""
    end = _PLACES.search(message)
    matches = _PLACE.finditer(end[0]) if end is not None else ()
    return tuple([Place(PurePosixPath(match["file"]), int(match["line"])) for match in matches])


# -- runs -------------------------------------------------------------------------------------------------------------------

DEFAULT_TIMEOUT: Final = 120.0
"""Time limit of a run in seconds; a normal run takes less than one."""
DEFAULT_IDLE: Final = 10.0
"""Seconds without progress after which a program is stopped."""

_TOO_LONG: Final = "it did not end within"
_NO_PROGRESS: Final = "it made no progress for"
_NOISE: Final = re.compile(
    r"^\s*(?:at |File |goroutine |\[signal|\S+\.Main\(|main\.|\S+\.go:\d+|\S+\(\S*\)$|exit status|created by|\^+$|warning:|"
    rf"{RETURNED}$)"
)


class Launch(Struct, frozen=True, kw_only=True):
    """How to run programs: the gRPC library, answers of providers, and time limits in seconds, in total and without progress
    (`idle`)."""

    rpc: Rpc
    models: Models
    logs: Path
    timeout: float = DEFAULT_TIMEOUT
    idle: float = DEFAULT_IDLE


def run_staged(launch: Launch, runner: Runner, staged: Staged, settings: Settings) -> Trace:
    """Run a program once and return its trace, even if it fails. Raises `OSError` if it cannot be started."""
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
        ended = runner.run(job, patience)
    trace = monitor.trace(staged.language, failed=ended.status != 0)
    return trace if ended.status == 0 else replace(trace, log=_with_reason(trace.log, ended, launch, staged))


def was_stopped(trace: Trace) -> bool:
    """Return whether a time limit ended the program, which may depend on the load of the machine."""
    return any(entry.severity == "error" and entry.message.startswith((_TOO_LONG, _NO_PROGRESS)) for entry in trace.log)


def _with_reason(log: Sequence[LogEntry], ended: Ended, launch: Launch, staged: Staged) -> tuple[LogEntry, ...]:
    """Return the log of a failed run with the generated lines that its stack names below its first error."""
    first = next((index for index, entry in enumerate(log) if entry.severity == "error"), None)
    if first is None:
        log, first = (*log, LogEntry(severity="error", message=_reason(ended, launch))), len(log)
    error = log[first]
    places = places_in_stack(staged, error.message) or places_in_stack(staged, ended.printed)
    message = with_generated_lines(error.message, places, staged)
    return (*log[:first], replace(error, message=message), *log[first + 1 :])


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _reason(ended: Ended, launch: Launch) -> str:
    """Return why a program failed that did not report an error to the engine."""
    if ended.status == TIMED_OUT:
        return f"{_TOO_LONG} {launch.timeout:g} seconds"
    if ended.status == STALLED:
        return f"{_NO_PROGRESS} {launch.idle:g} seconds"
    lines = [line.strip() for line in ended.printed.splitlines() if line.strip()]
    lines_ = [line for line in lines if not _NOISE.match(line)]
    panics = [line for line in lines_ if line.startswith("panic:")]
    return (panics or lines_)[-1] if lines_ else f"it ended with status {ended.status} and said nothing"


class Pool:
    """Runners of one language, started on demand, each used by one thread at a time."""

    def __init__(self, make: Callable[[], Runner]) -> None:
        self._make = make
        self._idle: list[Runner] = []
        self._all: list[Runner] = []
        self._lock = threading.Lock()

    def take(self) -> Runner:
        """Return an idle runner."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
            runner = self._make()
            self._all.append(runner)
            return runner

    def give(self, runner: Runner) -> None:
        """Return a runner to the pool."""
        with self._lock:
            self._idle.append(runner)

    def close(self) -> None:
        """End all runners."""
        for runner in self._all:
            runner.close()
