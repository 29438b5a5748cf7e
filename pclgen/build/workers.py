"""Processes that know nothing of the program which starts them.

A new process of Python's begins with the main module of its parent, and so would run a script of a user that builds at its
top level once more, in each worker, which starts workers of its own.  Workers of a build need nothing of it: while one is
started there is none to be seen.
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
    """An empty main module in place of the program's."""
    own = sys.modules[_MAIN]
    sys.modules[_MAIN] = ModuleType(_MAIN)
    try:
        yield
    finally:
        sys.modules[_MAIN] = own


class SpawnedWorker(multiprocessing.context.SpawnProcess):
    """A process that is started from nothing."""

    def start(self) -> None:
        """Start it."""
        with _nothing_to_begin_with():
            super().start()


class _SpawnContext(multiprocessing.context.SpawnContext):
    Process = SpawnedWorker


if sys.platform != "win32":

    class ForkedWorker(multiprocessing.context.ForkServerProcess):
        """A process that is forked from a server with the compiler loaded and nothing else."""

        def start(self) -> None:
            """Start it."""
            with _nothing_to_begin_with():
                super().start()

    class _ForkServerContext(multiprocessing.context.ForkServerContext):
        Process = ForkedWorker


def worker_context(preloaded: list[str]) -> multiprocessing.context.BaseContext:
    """How workers are started: where that can be, they are forked from a server that has `preloaded` and nothing else, so
    that none of them inherits what this process has open."""
    if sys.platform == "win32" or "forkserver" not in multiprocessing.get_all_start_methods():
        return _SpawnContext()
    found = _ForkServerContext()
    found.set_forkserver_preload(preloaded)
    return found
