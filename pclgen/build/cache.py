"""Compilation results on disk, under a hash of everything that the compilation read; the size and the cleanup of all caches.

A first key covers the inputs known before compiling: sources, options and pclgen itself. It leads to lists of dependencies
(`build.dependencies`); the key and the fingerprint of a list lead to a result:

    results-1/3f/3f9a….needs     dependencies of compilations with this first key: one or several lists
    results-1/8c/8c01….result    the result, under the first key and a fingerprint of the dependencies
    results-1/5c/5c77….seen      states of up-to-date programs of a build (`build.mtimes`)

A compilation is a function of its inputs, so a list whose fingerprint leads to a result names all dependencies. Each file
starts with a digest of the rest and is replaced atomically: a killed process, a full disk or a concurrent process leaves a
valid file or none.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from pclgen.build.dependencies import Dependencies
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.disk.transaction import replace_file
from pclgen.source.text import SourceFile, Span

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
