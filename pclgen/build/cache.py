"""Results of compilations, kept on disk by content.

Comes in: a key of what is known before a program is compiled (its sources, the options, pclgen itself), then what the
compilation looked at (`build.states`).  Goes out: what it became, or what was wrong with it.  In the directory:

    results-1/3f/3f9a….needs     what a compilation with this first key looked at: one or several lists
    results-1/8c/8c01….result    the result, by the first key and the state of all that
    results-1/5c/5c77….seen      how the programs of a build were when nothing was to be done (`build.glimpse`)

A compilation does the same as long as what it reads is the same, so a list under the same key whose state leads to a result
names all there is to look at.  Each file holds a digest of the rest of it and is replaced in one step: a process that is
killed, a full disk or another process that does the same leave a good file or none.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from pclgen.build.states import Needs
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.disk.replacing import replace_file
from pclgen.source.text import SourceFile, Span

FOLDER = "results-1"
_LISTS = 4
"""So many lists are kept for a key: a program that is built on several branches may look at other files on each."""
_FRESH = 3600.0
"""Seconds during which a use is not noted again."""
_T = TypeVar("_T")


class KeptSpan(msgspec.Struct, array_like=True, frozen=True):
    """A place: the number of its file, and where it begins and ends."""

    file: int
    start: int
    end: int


class KeptNote(msgspec.Struct, array_like=True, frozen=True):
    """A `Note`."""

    message: str
    span: KeptSpan | None


class KeptDiagnostic(msgspec.Struct, array_like=True, frozen=True):
    """A `Diagnostic`."""

    code: str
    severity: str
    message: str
    primary: KeptSpan | None
    label: str
    notes: list[KeptNote]
    help: str | None


class Kept(msgspec.Struct, frozen=True):
    """What a compilation became: `files` by language and path; `data` are files to copy, by language, path there and path
    in the program's directory; `sources` are name and text of the files that diagnostics point at."""

    ok: bool
    files: dict[str, dict[str, str]]
    data: dict[str, dict[str, str]]
    diagnostics: list[KeptDiagnostic]
    sources: list[tuple[str, str]]


def keep_diagnostics(diagnostics: tuple[Diagnostic, ...]) -> tuple[list[KeptDiagnostic], list[tuple[str, str]]]:
    """Diagnostics, and the files that they point at, as they are kept."""
    files: dict[int, tuple[int, SourceFile]] = {}

    def place(span: Span | None) -> KeptSpan | None:
        if span is None:
            return None
        number, _ = files.setdefault(id(span.file), (len(files), span.file))
        return KeptSpan(number, span.start, span.end)

    kept = [
        KeptDiagnostic(
            item.code,
            item.severity.value,
            item.message,
            place(item.primary),
            item.label,
            [KeptNote(note.message, place(note.span)) for note in item.notes],
            item.help,
        )
        for item in diagnostics
    ]
    return kept, [(file.name, file.text) for _, file in files.values()]


def diagnostics_of(kept: Kept) -> tuple[Diagnostic, ...]:
    """The diagnostics that were kept."""
    files = [SourceFile(name, text) for name, text in kept.sources]

    def span(place: KeptSpan | None) -> Span | None:
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
        for item in kept.diagnostics
    )


class ResultCache:
    """Results in one directory.  Safe to share between threads and processes."""

    def __init__(self, root: Path) -> None:
        """`root` is the directory of all caches of pclgen."""
        self.root = root
        self._directory = root / FOLDER

    def needs(self, key: str) -> list[Needs]:
        """What compilations with this key looked at, the last one first."""
        return self._read(key, ".needs", list[Needs]) or []

    def result(self, key: str, state: str) -> Kept | None:
        """The result of a compilation that found this state."""
        return self._read(_second(key, state), ".result", Kept)

    def keep(self, key: str, needs: Needs, state: str, kept: Kept) -> None:
        """Keep a result; where nothing can be written, nothing is kept."""
        with suppress(OSError):
            self._write(_second(key, state), ".result", kept)
            lists = self.needs(key)
            if needs not in lists[:1]:
                self._write(key, ".needs", [needs, *(other for other in lists if other != needs)][:_LISTS])

    def seen(self, key: str, kind: type[_T]) -> _T | None:
        """What a build with this key noted of its programs."""
        return self._read(key, ".seen", kind)

    def keep_seen(self, key: str, value: object) -> None:
        """Keep what a build noted of its programs; where nothing can be written, nothing is kept."""
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
            found = msgspec.json.decode(body, type=kind)
            if time.time() - path.stat().st_mtime > _FRESH:
                os.utime(path)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return found

    def _write(self, key: str, suffix: str, value: object) -> None:
        path = self._path(key, suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        body = msgspec.json.encode(value)
        replace_file(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def _second(key: str, state: str) -> str:
    return hashlib.sha256(f"{key} {state}".encode()).hexdigest()
