"""Building again whenever something changes.

Comes in: a build, and a stream of changes (sets of paths).  Goes out: nothing; the build tells what came of it.  What is not
touched by a change comes from the cache, so every round is a whole build: no second rule says what depends on what.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pclgen.emit.write import MANIFEST


class NoWatcherError(Exception):
    """The library that watches is not installed; `hint` says how to get it."""

    def __init__(self) -> None:
        super().__init__("`--watch` needs the library watchfiles, which is not installed")
        self.hint = "pip install 'pclgen[watch]'"


def keep_building(build: Callable[[], object], changes: Iterable[set[Path]], is_ours: Callable[[Path], bool]) -> int:
    """Build now, and again for each set of changes that is not only our own writing; how often that was."""
    build()
    rounds = 1
    for changed in changes:
        if not all(is_ours(path) for path in changed):
            build()
            rounds += 1
    return rounds


def changes_below(folders: Iterable[Path]) -> Iterator[set[Path]]:
    """Sets of files that changed together, until the process is interrupted.  Raises `NoWatcherError`."""
    try:
        from watchfiles import watch
    except ImportError as error:
        raise NoWatcherError from error
    stream = watch(*folders, raise_interrupt=False)
    return ({Path(path) for _, path in changed} for changed in stream)


def is_written_by_build(path: Path, places: Iterable[Path]) -> bool:
    """Whether a change at `path` is of a build's own making: below one of `places`, or what it keeps beside outputs."""
    if path.name == MANIFEST or path.name.endswith(".tmp"):
        return True
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(place)) for place in places)
