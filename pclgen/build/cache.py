"""The caches of builds on disk: compilation results, and states of up-to-date programs; the cleanup of all caches.

A result is kept under a hash of everything that the compilation read. A first key covers the inputs known before compiling:
sources, options and pclgen itself. It leads to lists of dependencies (`build.dependencies`); the key and the fingerprint of
a list lead to a result:

    results-1/3f/3f9a….needs     dependencies of compilations with this first key: one or several lists
    results-1/8c/8c01….result    the result, under the first key and a fingerprint of the dependencies
    results-1/5c/5c77….seen      for each program of a build: stats of its files, its surroundings, its dependencies

A compilation is a function of its inputs, so a list whose fingerprint leads to a result names all dependencies. Each file
starts with a digest of the rest and is replaced atomically: a killed process, a full disk or a concurrent process leaves a
valid file or none.

With the last file, the mtime cache, a build skips untouched programs without reading them. Its key covers what all programs
of the build share (pclgen itself, settings). A file counts as unchanged if its kind, inode, size, mtime and ctime are equal.
Changes within the resolution of the file system's clock would be missed, so files changed just before the build began are
not noted (git calls such entries racily clean). Only plain programs are noted: files in a folder without its own
configuration, links, components or diagnostics. All other programs, and all doubtful cases, use the sources and the cache of
results.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

from pclgen.build.dependencies import Dependencies, fingerprint_of
from pclgen.build.model import BuildContext, Options, Task
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.disk import STAGE, replace_file
from pclgen.emit.write import MANIFEST
from pclgen.schema.config import FILE, PYPROJECT, ConfigurationError
from pclgen.schema.discovery import FOLDER as SCHEMA_FOLDER
from pclgen.schema.discovery import Shelf
from pclgen.source.files import fence_of
from pclgen.source.load import LoadedProgram
from pclgen.source.project import PULUMI
from pclgen.source.text import SourceFile, Span
from pclgen.version import VERSION

if TYPE_CHECKING:
    from pclgen.build.compile import Compiled


# -- results ----------------------------------------------------------------------------------------------------------------

FOLDER = "results-1"
_LISTS = 4
"""Maximum number of lists per key: a program built on several branches may have different dependencies on each."""
_FRESH = 3600.0
"""Seconds during which another use does not update the time of last use."""
_T = TypeVar("_T")


class StoredSpan(msgspec.Struct, array_like=True, frozen=True):
    """A `Span`: the index of its file, start and end."""

    file: int
    start: int
    end: int


class StoredNote(msgspec.Struct, array_like=True, frozen=True):
    """A `Note`."""

    message: str
    span: StoredSpan | None


class StoredDiagnostic(msgspec.Struct, array_like=True, frozen=True):
    """A `Diagnostic`."""

    code: str
    severity: str
    message: str
    primary: StoredSpan | None
    label: str
    notes: list[StoredNote]
    help: str | None


class StoredResult(msgspec.Struct, frozen=True):
    """The result of a compilation.

    `files` are by language and path; `data` are files to copy, by language and target path, with their path in the program's
    directory; `sources` are names and texts of the files that diagnostics point at.
    """

    ok: bool
    files: dict[str, dict[str, str]]
    data: dict[str, dict[str, str]]
    diagnostics: list[StoredDiagnostic]
    sources: list[tuple[str, str]]


def store_diagnostics(diagnostics: tuple[Diagnostic, ...]) -> tuple[list[StoredDiagnostic], list[tuple[str, str]]]:
    """Return diagnostics, and the files that they point at, in stored form."""
    files: dict[int, tuple[int, SourceFile]] = {}

    def place(span: Span | None) -> StoredSpan | None:
        if span is None:
            return None
        number, _ = files.setdefault(id(span.file), (len(files), span.file))
        return StoredSpan(number, span.start, span.end)

    stored = [
        StoredDiagnostic(
            item.code,
            item.severity.value,
            item.message,
            place(item.primary),
            item.label,
            [StoredNote(note.message, place(note.span)) for note in item.notes],
            item.help,
        )
        for item in diagnostics
    ]
    return stored, [(file.name, file.text) for _, file in files.values()]


def load_diagnostics(result: StoredResult) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a stored result."""
    files = [SourceFile(name, text) for name, text in result.sources]

    def span(place: StoredSpan | None) -> Span | None:
        return None if place is None else Span(files[place.file], place.start, place.end)

    return tuple(
        Diagnostic(
            code=item.code,
            severity=Severity(item.severity),
            message=item.message,
            primary=span(item.primary),
            label=item.label,
            notes=tuple(Note(message=note.message, span=span(note.span)) for note in item.notes),
            help=item.help,
        )
        for item in result.diagnostics
    )


class ResultCache:
    """Results in one directory. Threads and processes may share it."""

    def __init__(self, root: Path) -> None:
        """Open the cache below `root`, the directory of all caches of pclgen."""
        self.root = root
        self._directory = root / FOLDER

    def dependencies(self, key: str) -> list[Dependencies]:
        """Return the dependency lists of compilations with this key, the latest first."""
        return self._read(key, ".needs", list[Dependencies]) or []

    def result(self, key: str, fingerprint: str) -> StoredResult | None:
        """Return the result of a compilation with this fingerprint of its dependencies."""
        return self._read(_second(key, fingerprint), ".result", StoredResult)

    def keep(self, key: str, dependencies: Dependencies, fingerprint: str, result: StoredResult) -> None:
        """Store a result; failures to write are ignored."""
        with suppress(OSError):
            self._write(_second(key, fingerprint), ".result", result)
            lists = self.dependencies(key)
            if dependencies not in lists[:1]:
                self._write(key, ".needs", [dependencies, *(other for other in lists if other != dependencies)][:_LISTS])

    def seen(self, key: str, kind: type[_T]) -> _T | None:
        """Return the notes of a build with this key about its programs."""
        return self._read(key, ".seen", kind)

    def keep_seen(self, key: str, value: object) -> None:
        """Store the notes of a build about its programs; failures to write are ignored."""
        with suppress(OSError):
            self._write(key, ".seen", value)

    def _path(self, key: str, suffix: str) -> Path:
        return self._directory / key[:2] / (key + suffix)

    def _read(self, key: str, suffix: str, kind: type[_T]) -> _T | None:
        path = self._path(key, suffix)
        try:
            data = path.read_bytes()
            digest, _, body = data.partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != digest:
                return None
            value = msgspec.json.decode(body, type=kind)
            if time.time() - path.stat().st_mtime > _FRESH:
                os.utime(path)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return value

    def _write(self, key: str, suffix: str, value: object) -> None:
        path = self._path(key, suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        body = msgspec.json.encode(value)
        replace_file(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def _second(key: str, fingerprint: str) -> str:
    return hashlib.sha256(f"{key} {fingerprint}".encode()).hexdigest()


_KINDS = {"results": "results-*/*/*", "schemas": "schemas-*/*", "packages": "packages-*/*", "snippets": "docs/*/*"}
_TRIMMED = ("results", "snippets")
"""Caches of small files that can be recomputed; the size limit applies to both together."""
_UNFINISHED = re.compile(r"\.(tmp|\d+)")
_LEFT_OVER = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""


class CacheUsage(Struct, frozen=True, kw_only=True):
    """Files and bytes of one cache: `results` of compilations, indexes of `schemas`, archives of component `packages`, or
    results of `snippets` in docs."""

    kind: str
    files: int
    size: int


def cache_usage(root: Path) -> tuple[CacheUsage, ...]:
    """Return the usage of each cache in `root`, the directory of all caches."""
    return tuple(_usage(root, kind) for kind in _KINDS)


def clean(root: Path) -> tuple[CacheUsage, ...]:
    """Remove all caches, and return their previous usage."""
    usage = cache_usage(root)
    for pattern in _KINDS.values():
        for path in root.glob(pattern):
            with suppress(OSError):
                path.unlink()
        _remove_folders(root, pattern)
    return usage


def trim(root: Path, limit: int) -> None:
    """Remove the least recently used results until at most `limit` bytes remain, and abandoned unfinished files."""
    now = time.time()
    entries: list[tuple[float, int, Path]] = []
    for path, size, used in (file for kind in _TRIMMED for file in _files(root, kind)):
        if _UNFINISHED.fullmatch(path.suffix) and now - used > _LEFT_OVER:
            with suppress(OSError):
                path.unlink()
        else:
            entries.append((used, size, path))
    room = limit
    for _, size, path in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            with suppress(OSError):
                path.unlink()


def _usage(root: Path, kind: str) -> CacheUsage:
    sizes = [size for _, size, _ in _files(root, kind)]
    return CacheUsage(kind=kind, files=len(sizes), size=sum(sizes))


def _files(root: Path, kind: str) -> Iterator[tuple[Path, int, float]]:
    for path in root.glob(_KINDS[kind]):
        with suppress(OSError):
            status = path.stat()
            yield path, status.st_size, status.st_mtime


def _remove_folders(root: Path, pattern: str) -> None:
    while "/" in pattern:
        pattern = pattern.rpartition("/")[0]
        for folder in root.glob(pattern):
            with suppress(OSError):  # not empty: another process writes there
                folder.rmdir()


# -- the mtime cache --------------------------------------------------------------------------------------------------------

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
