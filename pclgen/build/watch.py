"""Building again whenever something changes.

Comes in: a build, and a `Watcher`.  Goes out: nothing; the build tells what came of it.  What is not touched by a change
comes from the cache, so every round is a whole build: no second rule says what depends on what.

The watcher looks before the first build begins, so that what changes during a build is built afterwards.  Folders outside
of the project (of components, files, schemas, templates) are known after a build only: when there are new ones, it is built
once more as soon as they are watched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from pclgen.emit.write import MANIFEST

_GLANCE = 100
"""Milliseconds of waiting for changes in one set of folders before looking at the other."""


class NoWatcherError(Exception):
    """The library that watches is not installed; `hint` says how to get it."""

    def __init__(self) -> None:
        super().__init__("`--watch` needs the library watchfiles, which is not installed")
        self.hint = "pip install 'pclgen[watch]'"


class Watching(Protocol):
    """What tells of changes."""

    def also(self, folders: Iterable[Path]) -> bool:
        """Watch these folders, too, in place of those of the last time; whether there are new ones."""

    def changes(self) -> Iterator[set[Path]]:
        """Sets of files that changed together, until the process is interrupted."""


def keep_building(build: Callable[[], Iterable[Path]], watcher: Watching, is_ours: Callable[[Path], bool]) -> int:
    """Build now, and again for each set of changes that is not only our own writing; how often that was.  `build` answers
    with the folders to watch beside those of the project."""
    rounds = 1
    while watcher.also(build()):
        rounds += 1
    for changed in watcher.changes():
        if not all(is_ours(path) for path in changed):
            rounds += 1
            while watcher.also(build()):
                rounds += 1
    return rounds


class Watcher:
    """Watches `folders` with all that lies below them, and others by themselves.  Raises `NoWatcherError`."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._tops = tuple(os.path.realpath(folder) for folder in folders)
        self._beside: frozenset[str] = frozenset()
        self._early: set[Path] = set()
        self._inside = self._begin(self._tops, recursive=True)
        self._outside: Iterator[set[Path]] | None = None

    def also(self, folders: Iterable[Path]) -> bool:
        """See `Watching`."""
        places = {os.path.realpath(folder) for folder in folders if folder.is_dir()}
        beside = frozenset(place for place in places if not any(Path(place).is_relative_to(top) for top in self._tops))
        if beside == self._beside:
            return False
        is_new = not beside <= self._beside
        try:
            self._outside = self._begin(sorted(beside), recursive=False) if beside else None
        except FileNotFoundError:
            return True  # gone meanwhile
        self._beside = beside
        return is_new

    def changes(self) -> Iterator[set[Path]]:
        """See `Watching`."""
        while True:
            changed, self._early = self._early, set()
            for stream in (self._inside, self._outside):
                try:
                    found = next(stream, None) if stream is not None else set()
                except KeyboardInterrupt:
                    return  # that is how watching ends
                if found is None:
                    return
                changed |= found
            if changed:
                yield changed

    def _begin(self, folders: Iterable[str], *, recursive: bool) -> Iterator[set[Path]]:
        """A stream that is watching already; an empty set stands for a while in which nothing changed."""
        try:
            from watchfiles import watch
        except ImportError as error:
            raise NoWatcherError from error
        stream = watch(
            *folders, recursive=recursive, raise_interrupt=True, rust_timeout=_GLANCE, yield_on_timeout=True
        )
        paths = ({Path(path) for _, path in changed} for changed in stream)
        self._early |= next(paths, set())
        return paths


def is_written_by_build(path: Path, places: Iterable[Path]) -> bool:
    """Whether a change at `path` is of a build's own making: below one of `places`, or what it keeps beside outputs."""
    if path.name == MANIFEST or path.name.endswith(".tmp"):
        return True
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(place)) for place in places)
