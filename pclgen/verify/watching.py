"""Time limits for programs: on the whole run, and on phases without progress.

A program makes progress while it computes, while the monitor answers it, and when it sends a request or prints. A program
waiting for an answer that it cannot read does none of these.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from msgspec import Struct

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
