"""Where schemas come from.

A `SchemaSource` lists what it has without reading it, and reads one schema when asked.  Comes in: paths.  Goes out:
`Candidate`s.  Other kinds (an index on disk, installed SDKs, plugins) implement the same three members.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Protocol

from pclgen.schema.document import Document, read_document
from pclgen.schema.errors import BadSchema
from pclgen.schema.semver import VERSION_PATTERN

_FILE_NAME = re.compile(rf"(?P<name>.+?)-v?(?P<version>{VERSION_PATTERN})", re.ASCII)
_SCHEMA_FILE = "schema.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A schema that a source has: `version` is None when only its contents can tell."""

    name: str
    version: str | None
    path: Path


class SchemaSource(Protocol):
    """One place that has schemas."""

    @property
    def place(self) -> Path:
        """What to call it in a diagnostic."""
        ...

    def names(self) -> Sequence[str]:
        """The packages it has, sorted."""
        ...

    def candidates(self, name: str) -> Sequence[Candidate]:
        """The schemas it has of `name`, best known first."""
        ...

    def read(self, candidate: Candidate) -> Document | BadSchema:
        """Read one of its candidates."""
        ...


def read_schema_file(candidate: Candidate) -> Document | BadSchema:
    """The schema in the file of `candidate`, or why there is none; never raises for what is in the file."""

    def bad(reason: str) -> BadSchema:
        return BadSchema(name=candidate.name, path=candidate.path, reason=reason)

    try:
        # Not mapped: a file cut short by another program would end ours, and a copy costs little.
        data = candidate.path.read_bytes()
    except OSError as error:
        return bad(f"the file cannot be read: {error.strerror or error}")
    document = read_document(data, candidate.path)
    if isinstance(document, str):
        return bad(document)
    if document.header.name != candidate.name:
        return bad(f"the schema is that of package `{document.header.name}`, not `{candidate.name}`")
    if not document.header.version and candidate.version is not None:
        document.header.version = candidate.version
    return document


class DirectorySource:
    """A directory with `name-version.json`, `name.json` or `name/schema.json`.  Listed once, on first use."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._listing: dict[str, list[Candidate]] | None = None

    @property
    def place(self) -> Path:
        """The directory."""
        return self._directory

    def names(self) -> Sequence[str]:
        """The packages by file name, sorted."""
        return sorted(self._list())

    def candidates(self, name: str) -> Sequence[Candidate]:
        """The files of `name`, by file name."""
        return self._list().get(name, ())

    def read(self, candidate: Candidate) -> Document | BadSchema:
        """Read the file."""
        return read_schema_file(candidate)

    def _list(self) -> dict[str, list[Candidate]]:
        if self._listing is None:
            listing: dict[str, list[Candidate]] = {}
            for candidate in self._scan():
                listing.setdefault(candidate.name, []).append(candidate)
            self._listing = listing
        return self._listing

    def _scan(self) -> list[Candidate]:
        try:
            entries = sorted(self._directory.iterdir())
        except OSError:
            return []  # the directory is named in the diagnostic about whatever was looked for
        found: list[Candidate] = []
        for entry in entries:
            if entry.suffix == ".json":
                match = _FILE_NAME.fullmatch(entry.stem)
                name = match["name"] if match is not None else entry.stem
                version = match["version"] if match is not None else None
                found.append(Candidate(name=name, version=version, path=entry))
            elif isfile(entry / _SCHEMA_FILE):  # unlike Path.is_file, no error for what may not be looked into
                found.append(Candidate(name=entry.name, version=None, path=entry / _SCHEMA_FILE))
        return found


class FileSource:
    """A single schema file of any name; its contents say which package it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[Candidate, Document | BadSchema] | None = None

    @property
    def place(self) -> Path:
        """The file."""
        return self._path

    def names(self) -> Sequence[str]:
        """The one package."""
        return [self._open()[0].name]

    def candidates(self, name: str) -> Sequence[Candidate]:
        """The file, when it is the schema of `name`."""
        candidate = self._open()[0]
        return [candidate] if candidate.name == name else []

    def read(self, candidate: Candidate) -> Document | BadSchema:
        """The schema, read already to know its name."""
        del candidate
        return self._open()[1]

    def _open(self) -> tuple[Candidate, Document | BadSchema]:
        if self._read is None:
            self._read = self._read_once()
        return self._read

    def _read_once(self) -> tuple[Candidate, Document | BadSchema]:
        guess = Candidate(name=self._path.stem, version=None, path=self._path)
        try:
            data = self._path.read_bytes()
        except OSError as error:
            reason = f"the file cannot be read: {error.strerror or error}"
            return guess, BadSchema(name=guess.name, path=self._path, reason=reason)
        document = read_document(data, self._path)
        if isinstance(document, str):
            return guess, BadSchema(name=guess.name, path=self._path, reason=document)
        header = document.header
        return Candidate(name=header.name, version=header.version or None, path=self._path), document
