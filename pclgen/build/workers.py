"""Worker processes that do not re-import the parent's `__main__`.

Python starts a new process with the main module of its parent. A user's script that builds at its top level would run again
in each worker and start workers itself. So the main module is hidden while a worker starts.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.context
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Final

_MAIN: Final = "__main__"


@contextlib.contextmanager
def _nothing_to_begin_with() -> Iterator[None]:
    """Replace the main module with an empty one."""
    own = sys.modules[_MAIN]
    sys.modules[_MAIN] = ModuleType(_MAIN)
    try:
        yield
    finally:
        sys.modules[_MAIN] = own


class SpawnedWorker(multiprocessing.context.SpawnProcess):
    """A process that starts without the parent's main module."""

    def start(self) -> None:
        """Start it."""
        with _nothing_to_begin_with():
            super().start()


class _SpawnContext(multiprocessing.context.SpawnContext):
    Process = SpawnedWorker


if sys.platform != "win32":

    class ForkedWorker(multiprocessing.context.ForkServerProcess):
        """A process forked from a server that has only loaded the compiler."""

        def start(self) -> None:
            """Start it."""
            with _nothing_to_begin_with():
                super().start()

    class _ForkServerContext(multiprocessing.context.ForkServerContext):
        Process = ForkedWorker


def worker_context(preloaded: list[str]) -> multiprocessing.context.BaseContext:
    """Return the start method of workers: if possible, a fork of a server that has imported `preloaded`.

    Such workers do not inherit open files of this process.
    """
    if sys.platform == "win32" or "forkserver" not in multiprocessing.get_all_start_methods():
        return _SpawnContext()
    context = _ForkServerContext()
    context.set_forkserver_preload(preloaded)
    return context
