"""What a build found as it is to be, by the looks of the files: what nobody has touched since is not looked into again.

Comes in: tasks, and what the cache said of those that were unchanged.  Goes out: whether a task is as it was.  All programs
of a build are noted in one file of the cache, under a key of what is the same for all of them (pclgen itself, the settings):

    results-1/5c/5c77….seen      for each program: the looks of its files, its surroundings, what it looked at

A file looks the same when its kind, number, size, and the times of its last change of content and of state do.  That tells
of each change after the file was read, unless it comes so soon that the clock of the file system shows the same time: files
that were changed just before a build began are not noted (as git does with what is racily clean).  Only plain programs are
noted: files in a folder without a configuration of its own, no links, no components, and nothing to say about them.  For all
others, and in every doubt, the way through the sources and the cache remains.
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
from typing import Protocol

import msgspec

from pclgen.build.cache import Kept, ResultCache
from pclgen.build.model import Options, Order, Task
from pclgen.build.states import Needs, state_of
from pclgen.disk.journal import STAGE
from pclgen.emit.write import MANIFEST
from pclgen.schema.config import FILE, PYPROJECT, ConfigurationError
from pclgen.schema.discovery import Shelf
from pclgen.schema.lock import FOLDER
from pclgen.source.fence import fence_of
from pclgen.source.load import LoadedProgram
from pclgen.source.project import PULUMI
from pclgen.version import VERSION

_SETTLED = 2_000_000_000
"""Nanoseconds after which a change is told from the one before by its time: the coarsest clock of a file system in use."""
MOST = 20_000
"""Programs of a build that are kept in mind: what is noted of them is held in memory, which is not to grow with a build."""
_SURROUNDING = frozenset({FILE, PYPROJECT.casefold(), PULUMI.casefold(), FOLDER, ".git", ".venv"})
"""What in the folder of a program would be surroundings of its own, in small letters."""
_NO_SOURCES = LoadedProgram(name="", root=Path(), files=())


class Seen(msgspec.Struct, array_like=True, frozen=True):
    """How one program was: the `looks` of its files and outputs, what is `around` it, and the `state` of what it `needs`.

    `written` are the files of each output folder, in the order of the languages.
    """

    looks: str
    around: str
    state: str
    needs: Needs
    written: list[list[str]]


class Noted(Protocol):
    """What a compilation made of a program, what it looked at, and how that was."""

    @property
    def kept(self) -> Kept: ...
    @property
    def needs(self) -> Needs: ...
    @property
    def state(self) -> str: ...


class Glimpses:
    """What was seen of the programs of one build."""

    def __init__(self, order: Order, kept: ResultCache, shelf: Shelf) -> None:
        self._began = time.time_ns()
        self._kept = kept
        self._shelf = shelf
        self._around: dict[Path, str] = {}
        self._options: dict[Options, str] = {}
        looks, newest = looks_of_pclgen()
        self._usable = newest < self._began - _SETTLED
        self._key = _digest([looks, os.path.realpath(order.root), os.getcwd(), repr(order.settings), *_same_for_all(order)])
        self._known: Mapping[str, Seen] = (kept.seen(self._key, dict[str, Seen]) or {}) if self._usable else {}
        self._now: dict[str, Seen] = {}

    def holds(self, task: Task) -> bool:
        """Whether the program and all that was made of it are as they were when nothing was to be done."""
        seen = self._known.get(task.label)
        if seen is None or seen.around != self._surroundings(task):
            return False
        found = _looks(task, seen.written)
        if found is None or found[0] != seen.looks:
            return False
        if (seen.needs.packages or seen.needs.versions) and seen.state != self._state(task, seen.needs):
            return False
        self._now[task.label] = seen
        return True

    def note(self, task: Task, found: Noted) -> None:
        """Keep in mind that the outputs of `task` were there as they are to be."""
        around = self._surroundings(task) if self._usable and task.label.isprintable() else None
        if around is None or found.needs.directories or found.needs.files or any(found.kept.data.values()):
            return
        written = [[*found.kept.files[language], MANIFEST] for language in task.options.languages]
        looks = _looks(task, written)
        if looks is not None and looks[1] < self._began - _SETTLED:
            seen = Seen(looks=looks[0], around=around, state=found.state, needs=found.needs, written=written)
            self._now[task.label] = seen

    def keep(self, *, whole: bool) -> None:
        """Write down what was seen; what was seen of other programs before stays unless the build is a `whole` one."""
        now = self._now if whole else {**self._known, **self._now}
        if self._usable and now != self._known:
            self._kept.keep_seen(self._key, now)

    def _surroundings(self, task: Task) -> str | None:
        """All that counts for a program and does not lie in its folder; None when there is something wrong with it."""
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

    def _state(self, task: Task, needs: Needs) -> str | None:
        try:
            return state_of(needs, _NO_SOURCES, self._shelf.of(task.path.parent))
        except ConfigurationError:
            return None


def _same_for_all(order: Order) -> Iterator[str]:
    yield order.errors_from.value
    for name, value in sorted(order.environment.items()):
        yield f"{name}={value}"


def _digest(parts: Sequence[object]) -> str:
    # Names of files may hold what is no text.
    return hashlib.sha256(repr(parts).encode("ascii", "backslashreplace")).hexdigest()


_Look = tuple[str, int, int, int, int, int]


def _look(name: str, found: os.stat_result) -> _Look:
    return name, found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _looks(task: Task, written: Sequence[Sequence[str]]) -> tuple[str, int] | None:
    """The looks of the files of a program and of its outputs, and when the last of them was changed; None when they are not
    all plain files."""
    try:
        looks = [*_sources(os.fspath(task.path))]
        for folder, names in zip(map(os.fspath, task.folders()), written, strict=True):
            if os.path.lexists(f"{folder}/{STAGE}"):
                return None  # a run that was killed
            looks += _outputs(folder, names)
    except (OSError, _NotPlainError, ValueError):
        return None
    return _digest(looks), max(max(look[4], look[5]) for look in looks)


class _NotPlainError(Exception):
    """There is more to a program than files in a folder."""


def _sources(path: str) -> Iterator[_Look]:
    found = os.lstat(path)
    if stat.S_ISREG(found.st_mode):
        yield _look("", found)
        return
    if not stat.S_ISDIR(found.st_mode):
        raise _NotPlainError
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.casefold() in _SURROUNDING:
                raise _NotPlainError
            if entry.is_file(follow_symlinks=False):
                yield _look(entry.name, entry.stat(follow_symlinks=False))
            elif entry.is_dir(follow_symlinks=False):
                yield entry.name, 0, 0, 0, 0, 0
            else:
                raise _NotPlainError


def _outputs(folder: str, names: Sequence[str]) -> Iterator[_Look]:
    for name in names:
        above = name.rpartition("/")[0]
        while above:
            if not stat.S_ISDIR(os.lstat(f"{folder}/{above}").st_mode):
                raise _NotPlainError
            above = above.rpartition("/")[0]
        found = os.lstat(f"{folder}/{name}")
        if not stat.S_ISREG(found.st_mode):
            raise _NotPlainError
        yield _look(name, found)


_PACKAGE = Path(__file__).resolve().parents[1]
_LIBRARIES = ("black", "jinja2", "lark", "networkx", "msgspec", "yaml")


@cache
def looks_of_pclgen() -> tuple[str, int]:
    """The looks of pclgen itself and of the libraries that have a say, and when the last of them was changed."""
    looks: list[_Look] = []
    for top in (_PACKAGE, _PACKAGE.parent / "templates"):
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                place = os.path.join(folder, name)
                looks.append(_look(place, os.stat(place)))
    for library in _LIBRARIES:
        spec = find_spec(library)
        if spec is not None and spec.origin is not None:
            with suppress(OSError):
                looks.append(_look(spec.origin, os.stat(spec.origin)))
    return _digest([VERSION, sys.version, *looks]), max(max(look[4], look[5]) for look in looks)
