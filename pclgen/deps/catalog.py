"""Candidates for dependencies: package versions in indexes, folders, archives, and at URLs.

An index is a folder or a URL with an `index.json`, which holds everything that resolution needs, so that only chosen
packages are downloaded:

    {"format": 1,
     "packages": {"network": [{"version": "1.0.6", "file": "network-1.0.6.tar.gz", "digest": "sha256:...",
                               "dependencies": {"storage": "~1.5.2"}, "providers": {"aws": "^6.0"}}]}}

All versions of a package come from the first index that has its name, so that an index added at the end of the list cannot
replace an existing package.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pclgen.deps import archive
from pclgen.deps.archive import ArchiveCache, ArchiveError, digest_of, path_problem
from pclgen.deps.lock import Locked, Origin
from pclgen.deps.manifest import DIGEST, NAME, SIZE_LIMIT, Dependency, Manifest, ManifestError, Obstacle, read_manifest
from pclgen.deps.opened import NAMES, NO_PACKAGE, open_package
from pclgen.diagnostics.suggest import suggest
from pclgen.errors import UserError
from pclgen.schema.fetch import FetchError, download
from pclgen.schema.ranges import Range, RangeError, parse_range, read_version
from pclgen.semver import Version
from pclgen.source.files import read_regular

INDEX = "index.json"
INDEX_LIMIT = 64 << 20
"""Maximum size of an index in bytes."""
MOST_VERSIONS = 5_000
"""Maximum number of versions of a package in an index."""
TIME_LIMIT = 60.0
"""Default time limit of each download in seconds."""


class CatalogError(UserError):
    """A package is unavailable; `hint` gives the next step, `is_digest` tells whether its digest is wrong."""

    def __init__(self, message: str, hint: str | None = None, *, is_digest: bool = False) -> None:
        super().__init__(message, hint)
        self.is_digest = is_digest


class OfflineError(CatalogError):
    """A download is needed, but the network must not be used."""


class PackageSource(Struct, frozen=True, kw_only=True):
    """The source of a package; its fields are those of the lock file."""

    source: Origin
    place: str
    file: str = ""


class Candidate(Struct, frozen=True, kw_only=True, eq=False):
    """One version of a package from one source."""

    name: str
    version: Version
    place: PackageSource
    digest: str
    wants: Mapping[str, Dependency]
    providers: Mapping[str, Range]

    @property
    def identity(self) -> str:
        """The name and version for messages."""
        return f"{self.name}@{self.version.text}"


class Entry(msgspec.Struct, frozen=True):
    """One version of a package in an index."""

    version: str
    file: str
    digest: str
    dependencies: dict[str, str] = {}  # msgspec copies defaults
    providers: dict[str, str] = {}  # msgspec copies defaults


class IndexFile(msgspec.Struct, frozen=True):
    """The content of an `index.json`."""

    format: int
    packages: dict[str, list[Entry]]


class Catalog:
    """All sources of packages of one project."""

    def __init__(
        self, folder: Path, indexes: Sequence[str], keep: ArchiveCache, *, limit: float = TIME_LIMIT, offline: bool = False
    ) -> None:
        """Paths are relative to `folder`; with `offline` the network is not used."""
        self._folder = folder
        self._indexes = indexes
        self._keep = keep
        self._limit = limit
        self._offline = offline
        self._read: dict[str, IndexFile] = {}
        self._candidates: dict[str, Sequence[Candidate]] = {}
        self._opened: dict[tuple[str, str], Candidate] = {}

    @cached_property
    def names(self) -> Sequence[str]:
        """All packages in the indexes."""
        return sorted({name for place in self._indexes for name in self._index(place).packages})

    def similar(self, name: str) -> str | None:
        """Return the name of a package similar to an unknown name."""
        return suggest(name, self.names)

    @property
    def has_indexes(self) -> bool:
        """Whether the project has indexes."""
        return bool(self._indexes)

    # Candidates

    def versions(self, name: str) -> Sequence[Candidate]:
        """Return the versions of a package in the first index that has it, newest first. Raises `CatalogError`."""
        if name not in self._candidates:
            self._candidates[name] = sorted(self._of_index(name), key=lambda candidate: candidate.version, reverse=True)
        return self._candidates[name]

    def at(self, dependency: Dependency, *, base: str) -> Candidate:
        """Return the package at the path or URL of a dependency, whose path is relative to the folder `base` of the project.

        Raises `CatalogError`.
        """
        url, path = dependency.url, dependency.path
        if not url and not posixpath.isabs(path):
            path = posixpath.normpath(posixpath.join(base, path))
        key = ("url", url) if url else ("path", path)
        if key not in self._opened:
            self._opened[key] = self._at_url(url, dependency.digest) if url else self._at_path(path)
        package = self._opened[key]
        if package.name != dependency.name:
            raise CatalogError(f"the package in `{key[1]}` is `{package.name}`", f"write its name: {package.name}")
        if dependency.digest and not package.digest:
            message = f"`{key[1]}` is a folder, which has no digest"
            raise CatalogError(message, "leave the digest out, or name an archive", is_digest=True)
        if dependency.digest and package.digest != dependency.digest:
            raise _digest_mismatch(key[1], dependency.digest, package.digest)
        return package

    def _of_index(self, name: str) -> Sequence[Candidate]:
        for place in self._indexes:
            entries = self._index(place).packages.get(name)
            if entries:
                if len(entries) > MOST_VERSIONS:
                    raise CatalogError(f"the index {place} has more than {MOST_VERSIONS:,} versions of `{name}`")
                candidates = [self._candidate(place, name, entry) for entry in entries]
                if len({candidate.version for candidate in candidates}) != len(candidates):
                    raise CatalogError(f"the index {place} has a version of `{name}` twice")
                return candidates
        return ()

    def _candidate(self, place: str, name: str, entry: Entry) -> Candidate:
        where = f"the index {place}: {name} {entry.version[:40]}"
        version = read_version(entry.version)
        if version is None or version.text != entry.version or NAME.fullmatch(name) is None:
            raise CatalogError(f"{where}: that is no package in a version")
        if problem := path_problem(entry.file):
            raise CatalogError(f"{where}: its file `{entry.file[:80]}` {problem}")
        if DIGEST.fullmatch(entry.digest) is None:
            raise CatalogError(f"{where}: it has no digest")
        try:
            wants = {other: _dependency(other, text) for other, text in entry.dependencies.items()}
            providers = {other: parse_range(text) for other, text in entry.providers.items()}
        except RangeError as error:
            raise CatalogError(f"{where}: {error}") from error
        where_from = PackageSource(source="index", place=place, file=entry.file)
        return Candidate(
            name=name, version=version, place=where_from, digest=entry.digest, wants=wants, providers=providers
        )

    def _index(self, place: str) -> IndexFile:
        if place not in self._read:
            try:
                self._read[place] = read_index(self._bytes(place, INDEX, INDEX_LIMIT))
            except ValueError as error:
                raise CatalogError(f"the index {place}: {error}") from error
        return self._read[place]

    def _at_path(self, path: str) -> Candidate:
        place = self._folder / path
        if place.is_dir():
            return _candidate_of(_manifest_in(place, path), PackageSource(source="path", place=path))
        if not place.exists():
            raise CatalogError(f"there is no folder or archive `{path}`", f"it is looked for in {self._folder}")
        data = self._local(place, archive.SIZE_LIMIT)
        self._store(data)
        return _candidate_of(_opened(data, path), PackageSource(source="archive", place=path), digest_of(data))

    def _at_url(self, url: str, digest: str) -> Candidate:
        data = self._keep.read(digest) if digest else None
        if data is None:
            data = self._download(url, archive.SIZE_LIMIT)
            if digest and digest_of(data) != digest:
                raise _digest_mismatch(url, digest, digest_of(data))
            self._store(data)
        return _candidate_of(_opened(data, url), PackageSource(source="url", place=url), digest_of(data))

    # Chosen packages

    def manifest(self, locked: Locked) -> Manifest:
        """Return the manifest of a chosen package, and download its archive if necessary. Raises `CatalogError`."""
        if locked.source == "path":
            return _manifest_in(self._folder / locked.place, locked.place)
        data = self._keep.read(locked.digest)
        where = locked.identity
        if data is None:
            data = self._fetched(locked)
            if digest_of(data) != locked.digest:
                raise _digest_mismatch(where, locked.digest, digest_of(data))
            self._store(data)
        manifest = _opened(data, where)
        if manifest.name != locked.name or manifest.version != read_version(locked.version):
            has = f"{manifest.name}@{manifest.version.text}" if manifest.version is not None else "nothing"
            raise CatalogError(f"the archive of {where} holds {has}")
        return manifest

    def _fetched(self, locked: Locked) -> bytes:
        match locked.source:
            case "index":
                return self._bytes(locked.place, locked.file, archive.SIZE_LIMIT)
            case "url":
                return self._download(locked.place, archive.SIZE_LIMIT)
            case "archive" | "path":
                return self._local(self._folder / locked.place, archive.SIZE_LIMIT)

    def _bytes(self, place: str, file: str, most: int) -> bytes:
        """Return a file of an index."""
        if _is_address(place):
            return self._download(f"{place.rstrip('/')}/{quote(file)}", most)
        return self._local(self._folder / place / file, most)

    def _local(self, path: Path, most: int) -> bytes:
        try:
            return read_regular(path, most=most)
        except OSError as error:
            shown = os.path.relpath(path, self._folder)
            raise CatalogError(f"`{shown}` cannot be read: {error.strerror or error}") from error

    def _download(self, url: str, most: int) -> bytes:
        if not _is_address(url):
            raise CatalogError(f"`{url[:80]}` is no address", "an address begins with https:// or http://")
        if self._offline:
            raise OfflineError(f"{url} would have to be asked", "run it without `--offline` once")
        try:
            return download(url, self._limit, most, subject="package")
        except FetchError as error:
            raise CatalogError(str(error), error.hint) from error

    def _store(self, data: bytes) -> None:
        try:
            self._keep.write(data)
        except OSError as error:
            hint = "PCLGEN_CACHE_DIR names another place"
            raise CatalogError(f"cannot keep a package: {error.strerror or error}", hint) from error


def read_index(data: bytes) -> IndexFile:
    """Return the content of an `index.json`. Raises `ValueError`."""
    try:
        index = msgspec.json.decode(data, type=IndexFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"not the index of packages: {str(error)[:200]}") from error
    if index.format != 1:
        raise ValueError("it was written for another version of pclgen")
    return index


def _dependency(name: str, text: str) -> Dependency:
    if NAME.fullmatch(name) is None:
        raise RangeError(f"`{name[:80]}` is no name of a package", "")
    return Dependency(name=name, range=parse_range(text))


def _is_address(place: str) -> bool:
    return place.startswith(("https://", "http://"))


def _manifest_in(folder: Path, shown: str) -> Manifest:
    try:
        data = read_regular(folder / archive.MANIFEST, most=SIZE_LIMIT)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CatalogError(f"`{shown}` is no package: it has no {archive.MANIFEST}") from error
    except OSError as error:
        raise CatalogError(f"`{shown}/{archive.MANIFEST}` cannot be read: {error.strerror or error}") from error
    shown = f"{shown}/{archive.MANIFEST}"
    try:
        manifest = read_manifest(data)
    except ManifestError as error:
        raise CatalogError(f"{shown}: {error}", error.hint) from error
    if manifest.name is None:
        raise CatalogError(f"{shown}: {NO_PACKAGE}", NAMES)
    return manifest


def _opened(data: bytes, shown: str) -> Manifest:
    try:
        manifest = open_package(data).manifest
    except ArchiveError as error:
        raise CatalogError(f"{shown}: {error}", error.hint) from error
    wants = {name: _portable(dependency, shown) for name, dependency in manifest.dependencies.items()}
    return replace(manifest, dependencies=wants)


def _portable(dependency: Dependency, shown: str) -> Dependency:
    """Return a dependency of an archive without its path. Raises `CatalogError` if only the path locates it."""
    if dependency.obstacle is Obstacle.FOLDER:
        raise CatalogError(f"{shown}: its dependency `{dependency.name}` is a folder, and folders do not travel")
    if dependency.obstacle is Obstacle.UNPINNED:
        raise CatalogError(f"{shown}: its dependency `{dependency.name}` has an address and no digest")
    return replace(dependency, path="", digest="") if dependency.path else dependency


def _candidate_of(manifest: Manifest, place: PackageSource, digest: str = "") -> Candidate:
    assert manifest.name is not None
    assert manifest.version is not None
    return Candidate(
        name=manifest.name,
        version=manifest.version,
        place=place,
        digest=digest,
        wants=manifest.dependencies,
        providers=manifest.providers,
    )


def _digest_mismatch(where: str, expected: str, actual: str) -> CatalogError:
    return CatalogError(
        f"{where} is not what it has to be: its digest is {actual}",
        f"{expected} was expected: the publisher or another person has replaced it",
        is_digest=True,
    )
