"""Parallel work in forked processes, which share the state of this process.

The results are the same as those of sequential work in this process.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import BinaryIO, Generic, NoReturn, TypeVar

T = TypeVar("T")


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def side_by_side(works: Sequence[Callable[[], T]], jobs: int, shared: Iterable[object] = ()) -> Sequence[T]:
    """Return the results of `works` in their order, from at most `jobs` processes; this process does the last part itself.

    Results are pickled; objects in `shared` keep their identity. Work whose process fails or dies is repeated here, so this
    raises the exception that sequential work would raise. Without `may_fork` there is one process.
    """
    count = min(jobs, len(works)) if may_fork() else 1
    objects = {id(item): item for item in shared}
    bounds = [len(works) * at // count for at in range(count)] if count else []
    children: list[_Child[T]] = []
    try:
        for start, end in pairwise(bounds):
            children.append(_Child(works[start:end], objects))
        return _gathered(works, bounds[-1] if bounds else 0, children)
    finally:
        for child in children:
            child.end()


def may_fork() -> bool:
    """Return whether a fork of this process is safe: on Linux, with a single thread, which holds all taken locks."""
    if sys.platform != "linux":
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _gathered(works: Sequence[Callable[[], T]], first: int, children: Sequence[_Child[T]]) -> Sequence[T]:
    """Return the results of `works`: this process does those from `first` on, while `children` do the others."""
    own: Sequence[T] = ()
    failure: Exception | None = None
    try:
        own = [work() for work in works[first:]]
    except Exception as error:  # raised below, unless earlier work fails, too
        failure = error
    theirs = [result for child in children for result in child.results()]
    if failure is not None:
        raise failure
    return [*theirs, *own]


class _Child(Generic[T]):
    """A forked process that does some work; if it cannot start, the work is done here."""

    def __init__(self, works: Sequence[Callable[[], T]], shared: Mapping[int, object]) -> None:
        self._works = works
        self._shared = shared
        self._running = 0
        source, target = os.pipe()
        self._source = open(source, "rb")  # noqa: SIM115  # closed by `end`
        with open(target, "wb") as sink, suppress(OSError):  # the system allows no more processes
            self._running = os.fork()
            if not self._running:
                _serve(works, shared, sink)

    def results(self) -> Sequence[T]:
        """Wait for the results. Raises the exceptions of the work."""
        done: list[T] = []
        # The partial output of a process that died is not a pickle.
        with suppress(EOFError, pickle.UnpicklingError):
            done = _Unpickler(io.BytesIO(self._source.read()), self._shared).load()
        return [*done, *(work() for work in self._works[len(done) :])]

    def end(self) -> None:
        """End the process if it still runs, and forget it."""
        self._source.close()
        if self._running:
            with suppress(ProcessLookupError):
                os.kill(self._running, signal.SIGKILL)
            with suppress(ChildProcessError):  # SIGCHLD may be ignored, so the system forgets all children
                os.waitpid(self._running, 0)


def _serve(works: Sequence[Callable[[], T]], shared: Mapping[int, object], sink: BinaryIO) -> NoReturn:
    """Do the work in the forked process. The parent repeats work that was not sent, and raises its errors."""
    try:
        done: list[T] = []
        with suppress(Exception):  # the parent raises the same
            done.extend(work() for work in works)
        data = io.BytesIO()
        _Pickler(data, shared).dump(done)
        sink.write(data.getbuffer())
        sink.flush()
    finally:
        os._exit(0)  # skip the parent's cleanup handlers and buffers


class _Pickler(pickle.Pickler):
    def __init__(self, file: BinaryIO, shared: Mapping[int, object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._shared = shared

    def persistent_id(self, obj: object) -> int | None:
        """Return the number of an object that the parent has, too."""
        return id(obj) if id(obj) in self._shared else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BinaryIO, shared: Mapping[int, object]) -> None:
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, pid: int) -> object:
        """Return the object with that number."""
        return self._shared[pid]
