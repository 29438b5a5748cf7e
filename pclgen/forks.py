"""Work side by side in forked processes, each of which knows everything that this one knows.

The results are those of all work done here in turn.
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
    """Return the results of `works` in their order, from at most `jobs` processes; this one does the last part itself.

    Results are pickled; of objects in `shared` they hold the same ones as here. Work whose process fails or dies is done
    again here. So this raises the exception that the works would raise in turn. Without `may_fork` there is one process.
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
    """Return whether a fork of this process is safe: on Linux, with a single thread, which holds all locks that are taken.
    """
    if sys.platform != "linux":
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _gathered(works: Sequence[Callable[[], T]], first: int, children: Sequence[_Child[T]]) -> Sequence[T]:
    """The results of `works`: those from `first` on are found here, meanwhile the others by `children`."""
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
    """A forked process that does some work, here if it cannot be started."""

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
        """Wait for the results.  Raises what the work raises."""
        done: list[T] = []
        # What a process that died has written of its results is no pickle.
        with suppress(EOFError, pickle.UnpicklingError):
            done = _Unpickler(io.BytesIO(self._source.read()), self._shared).load()
        return [*done, *(work() for work in self._works[len(done) :])]

    def end(self) -> None:
        """End the process if it still runs, and forget it."""
        self._source.close()
        if self._running:
            with suppress(ProcessLookupError):
                os.kill(self._running, signal.SIGKILL)
            with suppress(ChildProcessError):  # somebody has the system forget all children
                os.waitpid(self._running, 0)


def _serve(works: Sequence[Callable[[], T]], shared: Mapping[int, object], sink: BinaryIO) -> NoReturn:
    """Do the work in the forked process.  The parent does what is not sent, and reports what is wrong with it."""
    try:
        done: list[T] = []
        with suppress(Exception):  # the parent raises the same
            done.extend(work() for work in works)
        data = io.BytesIO()
        _Pickler(data, shared).dump(done)
        sink.write(data.getbuffer())
        sink.flush()
    finally:
        os._exit(0)  # nothing of the parent is cleaned up or flushed here


class _Pickler(pickle.Pickler):
    def __init__(self, file: BinaryIO, shared: Mapping[int, object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._shared = shared

    def persistent_id(self, obj: object) -> int | None:
        """The number of an object that the parent has, too."""
        return id(obj) if id(obj) in self._shared else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BinaryIO, shared: Mapping[int, object]) -> None:
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, pid: int) -> object:
        """The object with that number."""
        return self._shared[pid]
