"""The mtime cache of builds: the build skips untouched programs without reading them.

One file of the cache holds notes on all programs of a build, under a key of their shared data (pclgen itself, settings):

    results-1/5c/5c77….seen      for each program: stats of its files, its surroundings, its dependencies

A file counts as unchanged if its kind, inode, size, mtime and ctime are equal. Changes within the resolution of the file
system's clock would be missed, so files changed just before the build began are not noted (git calls such entries racily
clean). Only plain programs are noted: files in a folder without its own configuration, links, components or diagnostics. All
other programs, and all doubtful cases, use the sources and the result cache.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pclgen.build.cache import ResultCache
from pclgen.build.dependencies import Dependencies, fingerprint_of
from pclgen.build.model import BuildContext, Options, Task
from pclgen.disk.transaction import STAGE
from pclgen.emit.write import MANIFEST
from pclgen.schema.config import FILE, PYPROJECT, ConfigurationError
from pclgen.schema.discovery import FOLDER as SCHEMA_FOLDER
from pclgen.schema.discovery import Shelf
from pclgen.source.load import LoadedProgram
from pclgen.source.paths import fence_of
from pclgen.source.project import PULUMI
from pclgen.version import VERSION

if TYPE_CHECKING:
    from pclgen.build.compile import Compiled

_SETTLED = 2_000_000_000
"""Nanoseconds after which a later change has a different time: the resolution of the coarsest file system clock in use."""
MOST = 20_000
"""Maximum number of programs with an mtime cache: notes are held in memory, which must not grow with the build."""
_SURROUNDING = frozenset({FILE, PYPROJECT.casefold(), PULUMI.casefold(), SCHEMA_FOLDER, ".git", ".venv"})
"""Lower-case names that give a program's folder its own surroundings."""
_NO_SOURCES = LoadedProgram(name="", root=Path(), files=())


class ProgramState(msgspec.Struct, array_like=True, frozen=True):
    """The state of one program: the stats of its files and outputs (`looks`), a digest of its surroundings (`around`),
    and its dependencies with their fingerprint.

    `written` are the files of each output folder, in the order of the languages.
    """

    looks: str
    around: str
    fingerprint: str
    dependencies: Dependencies
    written: list[list[str]]


class MtimeCache:
    """The states of the programs of one build."""

    def __init__(self, context: BuildContext, cache: ResultCache, shelf: Shelf) -> None:
        self._began = time.time_ns()
        self._cache = cache
        self._shelf = shelf
        self._around: dict[Path, str] = {}
        self._options: dict[Options, str] = {}
        looks, newest = compiler_stats()
        self._usable = newest < self._began - _SETTLED
        shared = (os.path.realpath(context.root), os.getcwd(), repr(context.settings), *_same_for_all(context))
        self._key = _digest([looks, *shared])
        self._before: Mapping[str, ProgramState] = {}
        if self._usable:
            self._before = cache.seen(self._key, dict[str, ProgramState]) or {}
        self._now: dict[str, ProgramState] = {}

    def holds(self, task: Task) -> bool:
        """Return whether the program and its outputs are unchanged since a build found them up to date."""
        seen = self._before.get(task.label)
        if seen is None or seen.around != self._surroundings(task):
            return False
        stats = _stats(task, seen.written)
        if stats is None or stats[0] != seen.looks:
            return False
        dependencies = seen.dependencies
        if (dependencies.packages or dependencies.versions) and seen.fingerprint != self._fingerprint(task, dependencies):
            return False
        self._now[task.label] = seen
        return True

    def note(self, task: Task, compilation: Compiled) -> None:
        """Note that the outputs of `task` are up to date."""
        around = self._surroundings(task) if self._usable and task.label.isprintable() else None
        dependencies = compilation.dependencies
        if around is None or dependencies.directories or dependencies.files or any(compilation.result.data.values()):
            return
        written = [[*compilation.result.files[language], MANIFEST] for language in task.options.languages]
        stats = _stats(task, written)
        if stats is not None and stats[1] < self._began - _SETTLED:
            self._now[task.label] = ProgramState(
                looks=stats[0],
                around=around,
                fingerprint=compilation.fingerprint,
                dependencies=dependencies,
                written=written,
            )

    def keep(self, *, whole: bool) -> None:
        """Store the states. States of other programs are kept, unless the build is a `whole` build."""
        now = self._now if whole else {**self._before, **self._now}
        if self._usable and now != self._before:
            self._cache.keep_seen(self._key, now)

    def _surroundings(self, task: Task) -> str | None:
        """Return a digest of the dependencies of a program outside its folder; None if the configuration is invalid."""
        parent = task.path.parent
        if parent not in self._around:
            try:
                project = self._shelf.project(parent)
            except ConfigurationError:
                return None
            text = f"{project.configuration!r} {project.folder} {project.settings!r} {fence_of(parent)}"
            if project.configuration.functions or project.configuration.policies or project.settings.policies:
                try:
                    functions, policy = self._shelf.of(parent).functions, self._shelf.of(parent).policy
                except ConfigurationError:
                    return None
                text += functions.identity if functions is not None else ""
                text += policy.identity if policy is not None else ""
            self._around[parent] = _digest([text])
        if task.options not in self._options:
            self._options[task.options] = repr(task.options)
        folders = [str(folder) for folder in task.folders()]
        levels = [f"{code}={level}" for code, level in task.levels.items()]
        return _digest([self._around[parent], str(task.path), self._options[task.options], folders, levels])

    def _fingerprint(self, task: Task, dependencies: Dependencies) -> str | None:
        try:
            return fingerprint_of(dependencies, _NO_SOURCES, self._shelf.of(task.path.parent))
        except ConfigurationError:
            return None


def _same_for_all(context: BuildContext) -> Iterator[str]:
    yield context.errors_from.value
    for name, value in sorted(context.environment.items()):
        yield f"{name}={value}"


def _digest(parts: Sequence[object]) -> str:
    # File names may not be valid text.
    return hashlib.sha256(repr(parts).encode("ascii", "backslashreplace")).hexdigest()


_Stat = tuple[str, int, int, int, int, int]


def _stat(name: str, status: os.stat_result) -> _Stat:
    return name, status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _stats(task: Task, written: Sequence[Sequence[str]]) -> tuple[str, int] | None:
    """Return a digest of the stats of a program's files and outputs, and the time of the latest change; None unless all
    are plain files."""
    try:
        looks = [*_sources(os.fspath(task.path))]
        for folder, names in zip(map(os.fspath, task.folders()), written, strict=True):
            if os.path.lexists(f"{folder}/{STAGE}"):
                return None  # left by a killed process
            looks += _outputs(folder, names)
    except (OSError, _NotPlainError, ValueError):
        return None
    return _digest(looks), max(max(look[4], look[5]) for look in looks)


class _NotPlainError(Exception):
    """The program is not just plain files in a folder."""


def _sources(path: str) -> Iterator[_Stat]:
    status = os.lstat(path)
    if stat.S_ISREG(status.st_mode):
        yield _stat("", status)
        return
    if not stat.S_ISDIR(status.st_mode):
        raise _NotPlainError
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.casefold() in _SURROUNDING:
                raise _NotPlainError
            if entry.is_file(follow_symlinks=False):
                yield _stat(entry.name, entry.stat(follow_symlinks=False))
            elif entry.is_dir(follow_symlinks=False):
                yield entry.name, 0, 0, 0, 0, 0
            else:
                raise _NotPlainError


def _outputs(folder: str, names: Sequence[str]) -> Iterator[_Stat]:
    for name in names:
        above = name.rpartition("/")[0]
        while above:
            if not stat.S_ISDIR(os.lstat(f"{folder}/{above}").st_mode):
                raise _NotPlainError
            above = above.rpartition("/")[0]
        status = os.lstat(f"{folder}/{name}")
        if not stat.S_ISREG(status.st_mode):
            raise _NotPlainError
        yield _stat(name, status)


_PACKAGE = Path(__file__).resolve().parents[1]
_LIBRARIES = ("black", "jinja2", "lark", "networkx", "msgspec", "yaml")


@cache
def compiler_stats() -> tuple[str, int]:
    """Return a digest of the stats of pclgen and of the libraries that influence its output, and the time of the latest
    change."""
    looks: list[_Stat] = []
    for top in (_PACKAGE, _PACKAGE.parent / "templates"):
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                place = os.path.join(folder, name)
                looks.append(_stat(place, os.stat(place)))
    for library in _LIBRARIES:
        spec = find_spec(library)
        if spec is not None and spec.origin is not None:
            with suppress(OSError):
                looks.append(_stat(spec.origin, os.stat(spec.origin)))
    return _digest([VERSION, sys.version, *looks]), max(max(look[4], look[5]) for look in looks)
