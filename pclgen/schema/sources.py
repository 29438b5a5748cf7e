"""Sources of schemas: their interface, the two sources that read files, and the reading of schema files.

A `SchemaSource` lists its candidates without reading them, and reads one schema on request. The store (`load`) queries
sources in order, and a later one only if no earlier one has the package, so a source may be as slow as starting a plugin.

    source.candidates(Requirement(name="aws"))    [Candidate(name="aws", version="7.48.0", where="schemas/aws-7.48.0.json")]
    source.fingerprint(candidate)            "file /work/schemas/aws-7.48.0.json 14209240 1763712000000000000"
    source.read(candidate)                   b'{"name": "aws", …'

A schema file is read as bytes, its changes are noticed by fingerprint and digest, and YAML becomes JSON.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from os.path import isfile
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec
from msgspec import Struct

from pclgen.records import Keyed
from pclgen.schema.document import Document, read_document
from pclgen.schema.errors import BadSchema, Lacking
from pclgen.semver import VERSION_PATTERN
from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import read_regular

_FILE_NAME = re.compile(rf"(?P<name>.+?)-v?(?P<version>{VERSION_PATTERN})", re.ASCII)


class BasePlugin(Struct, frozen=True, kw_only=True):
    """The plugin behind a parameterized package, and its parameter (base64, language.md, Package blocks)."""

    name: str
    version: str = ""
    parameter: str = ""


class Requirement(Keyed, frozen=True, kw_only=True, eq=False):
    """A request for a package, in one version unless `version` is None.

    `download_url` is the location of its plugin ("" for the default); `base` is set if a `package` block describes the
    package as a parameterized one. `ranges` restrict the choice of a version. `why` gives the origin of the version, for
    people. `origin` is the source in the project file of a package that is not a published provider, as arguments of
    `pulumi package get-schema`.
    """

    name: str
    version: str | None = None
    download_url: str = ""
    base: BasePlugin | None = None
    ranges: tuple[str, ...] = ()
    why: str = ""
    origin: str = ""

    def _key(self) -> object:
        """Return the facts that determine which schema answers."""
        return self.name, self.version, self.download_url, self.base, self.ranges


class Candidate(Struct, frozen=True, kw_only=True):
    """A schema of a source: `version` is None if only its content can tell.

    `where` is its name in diagnostics, `path` its file, if any. `sha256` is the required digest of its bytes ("" if no
    lock file has it). `requirement` is for sources that need the request again to answer it.
    """

    name: str
    version: str | None
    where: str
    path: Path | None = None
    sha256: str = ""
    requirement: Requirement | None = None


Reading: TypeAlias = Document | bytes | BadSchema | Lacking
"""The result of reading a candidate: a document whose members are read on demand, the bytes of a whole schema (JSON, or
YAML by the candidate's path), or the reason why it is unusable; `Lacking` if the source turns out not to have it."""


class SchemaSource(Protocol):
    """A source of schemas."""

    @property
    def where(self) -> str:
        """The name in diagnostics, after "looked in" or "asked": `schemas/`, `the Pulumi CLI`."""
        ...

    def names(self) -> Sequence[str]:
        """Return the known packages, sorted, as far as listing them is cheap (for suggestions)."""
        return ()

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """Return the schemas of that package in any version, best known first. Cheap: starts nothing.

        A source that only knows after a request returns one candidate, in the required version.
        """
        ...

    def fingerprint(self, candidate: Candidate) -> str:
        """Return a text that changes whenever the candidate's content may have changed, without reading it.

        "" means that there is none: the candidate is then read in every run.
        """
        ...

    def read(self, candidate: Candidate) -> Reading:
        """Read one of its candidates; never raises for failures outside of pclgen."""
        ...

    def command(self, requirement: Requirement) -> str | None:
        """Return a command that adds the package to the source: `pip install pulumi-aws`; None if there is none."""
        del requirement
        return None


class DirectorySource(SchemaSource):
    """A directory with `name-version.json`, `name.json` or `name/schema.json` (or `.yaml`), listed once, on first use.

    `locked` are the digests of a lock file by file name.
    """

    def __init__(self, directory: Path, *, locked: Mapping[str, str] | None = None) -> None:
        self.directory = directory
        self._locked = locked or {}
        self._listing: dict[str, list[Candidate]] | None = None

    @property
    def where(self) -> str:
        """The directory."""
        return str(self.directory)

    def names(self) -> Sequence[str]:
        """The packages by file name, sorted."""
        return sorted(self._list())

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """The files of the package, by file name."""
        return self._list().get(requirement.name, ())

    def fingerprint(self, candidate: Candidate) -> str:
        """Path, size and times of the file."""
        return fingerprint_of(candidate.path)

    def read(self, candidate: Candidate) -> Reading:
        """Read the file."""
        assert candidate.path is not None
        return read_file(candidate.name, candidate.path)

    def _list(self) -> dict[str, list[Candidate]]:
        if self._listing is None:
            listing: dict[str, list[Candidate]] = {}
            for candidate in self._scan():
                listing.setdefault(candidate.name, []).append(candidate)
            self._listing = listing
        return self._listing

    def _scan(self) -> list[Candidate]:
        try:
            entries = sorted(self.directory.iterdir())
        except OSError:
            return []  # the directory is named in the diagnostic about whatever was looked for
        candidates: list[Candidate] = []
        for entry in entries:
            if entry.suffix in SUFFIXES:
                match = _FILE_NAME.fullmatch(entry.stem)
                name = match["name"] if match is not None else entry.stem
                candidates.append(self._candidate(name, match["version"] if match is not None else None, entry))
                continue
            for suffix in SUFFIXES:
                inner = entry / f"schema{suffix}"
                if isfile(inner):  # unlike Path.is_file, no error for an inaccessible directory
                    candidates.append(self._candidate(entry.name, None, inner))
                    break
        return candidates

    def _candidate(self, name: str, version: str | None, path: Path) -> Candidate:
        return Candidate(name=name, version=version, where=str(path), path=path, sha256=self._locked.get(path.name, ""))


class FileSource(SchemaSource):
    """A single schema file of any name, whose content determines the package. An unreadable file may be that of any
    package, so every request gets the reason.

    `identity_of` returns name and version of the package by the fingerprint of a file that was read in an earlier run.
    """

    def __init__(self, path: Path, *, identity_of: Callable[[str], tuple[str, str] | None] | None = None) -> None:
        self.path = path
        self._identity_of = identity_of
        self._candidate: Candidate | None = None
        self._data: bytes | BadSchema | None = None
        self._broken: BadSchema | None = None

    @property
    def where(self) -> str:
        """The file."""
        return str(self.path)

    def names(self) -> Sequence[str]:
        """The one package."""
        return [self._open().name]

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """The file, when it is the schema of the required package, or cannot be read."""
        candidate = self._open()
        if candidate.name == requirement.name:
            return [candidate]
        return [Candidate(name=requirement.name, version=None, where=self.where)] if self._broken is not None else []

    def fingerprint(self, candidate: Candidate) -> str:
        """Path, size and times of the file."""
        return fingerprint_of(candidate.path)

    def read(self, candidate: Candidate) -> Reading:
        """The file; it is not read again when that was needed to know its name."""
        if self._broken is not None and candidate.name != self._open().name:
            return Lacking(reason=self._broken.reason)
        data, self._data = self._data, None
        return data if data is not None else read_file(candidate.name, self.path)

    def _open(self) -> Candidate:
        if self._candidate is None:
            identity = self._identity_of(fingerprint_of(self.path)) if self._identity_of is not None else None
            name, version = identity if identity is not None else self._look_inside()
            self._candidate = Candidate(name=name, version=version or None, where=str(self.path), path=self.path)
        return self._candidate

    def _look_inside(self) -> tuple[str, str]:
        guess = Candidate(name=self.path.stem, version=None, where=str(self.path), path=self.path)
        self._data = read_file(guess.name, self.path)
        document = parse(guess, self._data) if isinstance(self._data, bytes) else self._data
        if isinstance(document, BadSchema):
            self._broken = document
            return guess.name, ""
        return document.header.name, document.header.version


# -- schema files -----------------------------------------------------------------------------------------------------------

SUFFIXES = (".json", ".yaml", ".yml")
"""The suffixes of schema files."""

DIRECT = 1024 * 1024
"""Files below this size (in bytes) are read in every run, which is faster than opening an index."""

EDITION = "3"
"""The version of the caches on disk: changes whenever their tables or the meaning of their content changes."""

ONCE = "once"
"""Prefix of fingerprints that must not be stored, since the file may still change unnoticed."""

_YAML = (".yaml", ".yml")

# Clocks of file systems tick: a file may change twice within a tick and look the same.
_TICK = 50_000_000
_COARSE_TICK = 2_100_000_000


def fingerprint_of(path: Path | None) -> str:
    """Return a text that changes with the file: its path, size and times; "" for files that are small or inaccessible.

    YAML files are slow to read at any size.
    """
    if path is None:
        return ""
    try:
        stat = os.stat(path)
    except OSError:
        return ""
    if stat.st_size < (DIRECT if not is_yaml(path) else DIRECT // 64):
        return ""
    changed = max(stat.st_mtime_ns, stat.st_ctime_ns)
    tick = _COARSE_TICK if stat.st_mtime_ns % 1_000_000_000 == 0 else _TICK
    kind = ONCE if abs(time.time_ns() - changed) < tick else "file"
    return f"{kind} {os.path.abspath(path)} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"


def read_file(name: str, path: Path) -> bytes | BadSchema:
    """Return the bytes of the schema file of package `name`."""
    try:
        # Not memory-mapped: truncation by another program would crash this process, and a copy is cheap.
        return read_regular(path)
    except OSError as error:
        return BadSchema(name=name, where=str(path), reason=f"the file cannot be read: {error.strerror or error}")


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def identity_of(data: bytes) -> str:
    """Return the `Document.identity` of a whole schema."""
    return f"sha256:{digest(data)}"


def parse(candidate: Candidate, data: bytes) -> Document | BadSchema:
    """Return the schema in the bytes of `candidate`, members unread; its identity is the digest of the bytes."""

    def bad(reason: str) -> BadSchema:
        return BadSchema(name=candidate.name, where=candidate.where, reason=reason)

    identity = identity_of(data)
    if not as_locked(candidate, identity):
        return changed(candidate)
    if is_yaml(candidate.path):
        text = json_of_yaml(data)
        if isinstance(text, str):
            return bad(text)
        data = text
    document = read_document(data, where=candidate.where, path=candidate.path, identity=identity)
    return bad(document) if isinstance(document, str) else document


def as_locked(candidate: Candidate, identity: str) -> bool:
    """Return whether content with this identity matches the lock file (if it is locked)."""
    return not candidate.sha256 or identity == f"sha256:{candidate.sha256}"


def changed(candidate: Candidate) -> BadSchema:
    """Return the error for a file that differs from the locked one."""
    label = f"{candidate.name}@{candidate.version}" if candidate.version else candidate.name
    return BadSchema(
        name=candidate.name,
        where=candidate.where,
        reason="the file is not the one that the lock file names: its SHA-256 is another",
        help="take it from version control, or lock what there is now:"
        f" `pclgen schema add {label} --from {candidate.where}`",
    )


def is_yaml(path: Path | None) -> bool:
    """Return whether the file name is that of a YAML file."""
    return path is not None and path.suffix in _YAML


def json_of_yaml(data: bytes) -> bytes | str:
    """Return YAML as JSON, or the reason why it is invalid."""
    try:
        return msgspec.json.encode(read_yaml(data, only_json=True))
    except DataError as error:
        return f"not valid YAML: {error}"
    except TypeError as error:
        return f"the YAML is not plain data: {error}"
