"""The store of schemas: finds packages by name and version, and keeps what it opened.

Comes in: directories and files (or any `SchemaSource`s) in order of preference, and what a program asks for.  Goes out:
`FoundPackage`, `NotFound` or `BadSchema`; never an exception.

    store = SchemaStore([Path("schemas")])
    found = store.find("aws")                     # the highest version that is there
    found.resource(parse_token("aws:s3/bucket:Bucket"))

A program sees one version of a package.  References between schemas name a version too, but SDKs are installed once, so
they are answered with the version that the program has (else a resource of the program would not fit a property that
refers to it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import isfile
from pathlib import Path
from threading import RLock
from typing import TypeAlias

from pclgen.schema.builtin import NAME, builtin_package
from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, NotFound, SchemaError
from pclgen.schema.package import LoadedPackage, open_package
from pclgen.schema.semver import Version, parse_version
from pclgen.schema.sources import Candidate, DirectorySource, FileSource, SchemaSource
from pclgen.schema.tokens import Token, TokenIndex
from pclgen.types.declarations import FunctionDecl, Package, ResourceDecl


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundPackage:
    """A package that was opened, and the file it came from."""

    package: Package
    path: Path
    loaded: LoadedPackage = field(repr=False)

    def resource(self, token: Token) -> ResourceDecl | None:
        """The resource type that a written token names, or None (spec 9.2).  Raises `SchemaError`."""
        return self.loaded.resource(token)

    def function(self, token: Token) -> FunctionDecl | None:
        """The function that a written token names, or None.  Raises `SchemaError`."""
        return self.loaded.function(token)

    @property
    def resources(self) -> TokenIndex:
        """Look-up of resource tokens; `nearest` gives the did-you-mean."""
        return self.loaded.resources

    @property
    def functions(self) -> TokenIndex:
        """Look-up of function tokens; `nearest` gives the did-you-mean."""
        return self.loaded.functions


FindResult: TypeAlias = FoundPackage | NotFound | BadSchema


class SchemaStore:
    """Schemas of some places.  Safe to share between threads; several stores or processes do not disturb each other."""

    def __init__(
        self,
        places: Sequence[Path | SchemaSource] = (),
        *,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self._sources = [_source(place) for place in places]
        self._versions = dict(versions or {})
        self._documents: dict[Path, Document | BadSchema] = {}
        self._packages: dict[Path, FoundPackage | BadSchema] = {}
        self._lock = RLock()
        loaded = builtin_package()
        self._builtin = FoundPackage(package=loaded.package, path=Path("pulumi.json"), loaded=loaded)

    def with_versions(self, versions: Mapping[str, str]) -> SchemaStore:
        """The same places for a program that pins these versions; files that were read are not read again."""
        other = SchemaStore(self._sources, versions={**self._versions, **versions})
        other._documents = self._documents
        other._lock = self._lock
        return other

    def find(self, name: str, version: str | None = None) -> FindResult:
        """The package `name`: in `version` when given, else in the pinned version, else in the highest there is.

        Build data of a version is ignored unless the whole text agrees.  A schema without a version stands in for
        one that is not there.
        """
        if name == NAME:
            return self._builtin
        with self._lock:
            wanted = version if version is not None else self._versions.get(name)
            choice = self._choose(self._candidates(name), wanted)
            return self._open(*choice) if choice is not None else self._not_found(name, wanted)

    def names(self) -> tuple[str, ...]:
        """All packages of all places, sorted."""
        with self._lock:
            return tuple(sorted({name for source in self._sources for name in source.names()}))

    def versions(self, name: str) -> tuple[str, ...]:
        """The versions there are of `name`, lowest first."""
        with self._lock:
            known = {self._version(*pair) for pair in self._candidates(name)}
        return tuple(sorted((text for text in known if text), key=_order))

    def _candidates(self, name: str) -> list[tuple[SchemaSource, Candidate]]:
        return [(source, c) for source in self._sources for c in source.candidates(name)]

    def _choose(
        self, candidates: list[tuple[SchemaSource, Candidate]], version: str | None
    ) -> tuple[SchemaSource, Candidate] | None:
        if version is not None:
            return self._exact(candidates, version.removeprefix("v"))
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        # max() keeps the first of equals: the place that was named first.
        return max(candidates, key=lambda pair: _order(self._version(*pair)))

    def _exact(
        self, candidates: list[tuple[SchemaSource, Candidate]], version: str
    ) -> tuple[SchemaSource, Candidate] | None:
        wanted = parse_version(version)
        near: tuple[SchemaSource, Candidate] | None = None
        unversioned: tuple[SchemaSource, Candidate] | None = None
        for pair in candidates:
            text = self._version(*pair)
            if text == version:
                return pair
            if near is None and wanted is not None and parse_version(text) == wanted:
                near = pair
            unversioned = unversioned or (pair if not text else None)
        return near or unversioned

    def _version(self, source: SchemaSource, candidate: Candidate) -> str:
        if candidate.version is not None:
            return candidate.version
        document = self._read(source, candidate)
        return document.header.version.removeprefix("v") if isinstance(document, Document) else ""

    def _read(self, source: SchemaSource, candidate: Candidate) -> Document | BadSchema:
        found = self._documents.get(candidate.path)
        if found is None:
            found = self._documents[candidate.path] = source.read(candidate)
        return found

    def _open(self, source: SchemaSource, candidate: Candidate) -> FoundPackage | BadSchema:
        found = self._packages.get(candidate.path)
        if found is None:
            found = self._packages[candidate.path] = self._open_document(self._read(source, candidate))
        return found

    def _open_document(self, document: Document | BadSchema) -> FoundPackage | BadSchema:
        if isinstance(document, BadSchema):
            return document
        try:
            loaded = open_package(document, self._referenced)
        except ValueError as error:
            return BadSchema(name=document.header.name, path=document.path, reason=str(error))
        return FoundPackage(package=loaded.package, path=document.path, loaded=loaded)

    def _referenced(self, name: str, version: str) -> Package:
        """The package that a reference of a schema means: the program's version of it, unless that is of another major
        version and the named one is here too."""
        found = self.find(name)
        if isinstance(found, FoundPackage) and name not in self._versions:
            has, named = parse_version(found.package.version), parse_version(version)
            if has is not None and named is not None and has.major != named.major:
                exact = self.find(name, version)
                found = exact if isinstance(exact, FoundPackage) else found
        if isinstance(found, FoundPackage):
            return found.package
        label = f"{name} {version}" if version else name
        if isinstance(found, BadSchema):
            reason = f"it refers to package `{label}`, whose schema cannot be used: {found.reason}"
        else:
            reason = f"it refers to package `{label}`, which has no schema here"
        raise SchemaError(package="", path="", reason=reason, missing=(name, version))

    def _not_found(self, name: str, version: str | None) -> NotFound:
        return NotFound(
            name=name,
            version=version,
            tried=tuple(source.place for source in self._sources),
            names=self.names(),
            versions=self.versions(name),
        )


def _source(place: Path | SchemaSource) -> SchemaSource:
    if isinstance(place, Path):
        return FileSource(place) if isfile(place) else DirectorySource(place)
    return place


def _order(text: str) -> tuple[bool, Version, str]:
    """Sorts versions; texts that are none come first."""
    version = parse_version(text)
    return (version is not None, version or Version(numbers=(0, 0, 0), prerelease=(), text=""), text)
