"""Rebuild whenever a file changes.

Every round builds everything; the cache answers for unchanged programs. The watcher starts before the first build, so that
changes during a build trigger the next. Folders outside of the project (components, files, schemas, templates) are known
only after a build; when a build adds such folders, another build follows as soon as they are watched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from pclgen.emit.write import MANIFEST
from pclgen.errors import UserError

_GLANCE = 100
"""Milliseconds to wait for changes in one set of folders before checking the other."""


class NoWatcherError(UserError):
    """The file watching library is missing; `hint` gives the command that installs it."""

    def __init__(self) -> None:
        super().__init__("`--watch` needs the library watchfiles, which is not installed", "pip install 'pclgen[watch]'")


class Watching(Protocol):
    """A source of file changes."""

    def also(self, folders: Iterable[Path]) -> bool:
        """Watch these folders instead of the folders of the last call; return whether some are new."""

    def changes(self) -> Iterator[set[Path]]:
        """Yield sets of files that changed together, until the process is interrupted."""


def keep_building(build: Callable[[], Iterable[Path]], watcher: Watching, is_ours: Callable[[Path], bool]) -> int:
    """Build now, and again for each set of changes that the build did not write itself; return the number of builds.

    `build` returns the folders to watch besides the folders of the project.
    """
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
    """Watches `folders` recursively, and other folders without their subfolders. Raises `NoWatcherError`."""

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
            return True  # removed in the meantime
        self._beside = beside
        return is_new

    def changes(self) -> Iterator[set[Path]]:
        """See `Watching`."""
        while True:
            changed, self._early = self._early, set()
            for stream in (self._inside, self._outside):
                try:
                    batch = next(stream, None) if stream is not None else set()
                except KeyboardInterrupt:
                    return  # Ctrl-C ends watching
                if batch is None:
                    return
                changed |= batch
            if changed:
                yield changed

    def _begin(self, folders: Iterable[str], *, recursive: bool) -> Iterator[set[Path]]:
        """Return a stream that is already watching; an empty set means that nothing changed for a while."""
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
    """Return whether a build wrote `path`: it lies below one of `places`, or it is a manifest or temporary file."""
    if path.name == MANIFEST or path.name.endswith(".tmp"):
        return True
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(place)) for place in places)
