"""The store of schemas: finds packages by name and version, and caches opened ones.

    store = SchemaStore([Path("schemas")])
    found = store.find("aws")                     # the highest version
    found.resource(parse_token("aws:s3/bucket:Bucket"))

Results are `FoundPackage`, `NotFound` or `BadSchema`; nothing is raised. Directories and files form one *tier*, which
provides its highest version. Each other source is its own tier, and is queried only if no earlier tier has the package (in
the required version).

A program sees one version of a package. References between schemas also name a version, but SDKs are installed once, so they
resolve to the version of the program; otherwise a resource of the program would not fit a property that refers to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache as cache_result
from functools import partial
from os.path import isfile
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.reads import READS
from pclgen.schema.cache import SchemaCache
from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, Lacking, NotFound, SchemaError
from pclgen.schema.package import PULUMI, FoundPackage, builtin_package, open_package
from pclgen.schema.ranges import parse_range, read_version
from pclgen.schema.sources import Candidate, DirectorySource, FileSource, Requirement, SchemaSource, as_locked, changed
from pclgen.semver import Version, parse_version
from pclgen.types.declarations import Json, Package

if TYPE_CHECKING:
    from pclgen.schema.policy import Policy
    from pclgen.stdlib.packs import Functions


class Choice(Struct, frozen=True, kw_only=True):
    """The reason for the choice of a schema, for `--verbose`."""

    name: str
    version: str
    where: str
    why: str


class Listed(Struct, frozen=True, kw_only=True):
    """A schema of a source: its location, and whether the project's lock file has it."""

    name: str
    version: str
    where: str
    locked: bool = False


FindResult: TypeAlias = FoundPackage | NotFound | BadSchema
Languages: TypeAlias = "Mapping[str, Mapping[str, Mapping[str, Json]]]"
_Pair: TypeAlias = tuple[SchemaSource, Candidate]

Place: TypeAlias = str | Path | SchemaSource | Callable[[], SchemaSource]
"""A location of schemas: a directory, a file, a source, or a function that creates a source for the first request."""


class Surroundings(Struct, frozen=True, kw_only=True):
    """The configuration of a store: its file, its settings of component packages, and the directory of the caches."""

    path: Path
    packaging: str
    kept_in: Callable[[], Path]


class SchemaStore:
    """The schemas of several sources. Threads can share a store, and processes can use several at the same time."""

    def __init__(
        self,
        places: Sequence[Place] = (),
        *,
        later: Sequence[Place | Sequence[Place]] = (),
        requirements: Mapping[str, Requirement] | None = None,
        languages: Languages | None = None,
        cache: SchemaCache | None = None,
        functions: Functions | None = None,
        surroundings: Surroundings | None = None,
        policy: Policy | None = None,
    ) -> None:
        """`places` (directories, files or sources) are searched together, each of `later` only if nothing before it has
        the package.

        `requirements` gives the default version by package; `languages` overrides the SDK settings of schemas, by package
        and language; `functions` are those of packs, `policy` the rules for inputs. Without a `cache` nothing is stored on
        disk. `surroundings` locate components of other packages.
        """
        self.surroundings = surroundings
        self._cache = cache if cache is not None else SchemaCache(None)
        tiers = (places, *map(_tier, later))
        # Only the first request loads the libraries of a source and lists its folders.
        self._tiers = [cache_result(partial(_sources_of, tier, self._cache)) for tier in tiers]
        self._languages = languages or {}
        self.functions = functions
        self.policy = policy
        self._choices: dict[tuple[str, str], Choice] = {}
        self._requirements = dict(requirements or {})
        self._ranges: Mapping[str, tuple[str, ...]] = {}
        self._within: dict[tuple[tuple[str, tuple[str, ...]], ...], SchemaStore] = {}
        self._documents: dict[_Pair, Document | BadSchema | Lacking] = {}
        self._packages: dict[_Pair, FoundPackage | BadSchema] = {}
        self._answers: dict[Requirement, FindResult] = {}
        self._lock = RLock()
        self._builtin = builtin_package()

    def with_packages(self, requirements: Mapping[str, Requirement]) -> SchemaStore:
        """Return a store for a program with `package` blocks (by name in tokens); schemas are not read again."""
        if not requirements:
            return self
        other = self._twin()
        pinned = {name: self._pinned(requirement) for name, requirement in requirements.items()}
        other._requirements = {**self._requirements, **pinned}
        return other

    def within(self, ranges: Mapping[str, tuple[str, ...]]) -> SchemaStore:
        """Return a store for a project that requires certain versions of packages, each in all of its ranges: unless a
        version is pinned, one that fits is preferred."""
        if not ranges:
            return self
        key = tuple(sorted(ranges.items()))
        with self._lock:
            other = self._within.get(key)
            if other is None:
                other = self._within[key] = self._twin()
                other._requirements = self._requirements
                other._ranges = ranges
            return other

    def _twin(self) -> SchemaStore:
        """Return a store with the same locations and cached schemas, but without decisions."""
        other = SchemaStore(cache=self._cache, functions=self.functions, policy=self.policy)
        other._tiers = self._tiers
        other._languages = self._languages
        other._ranges = self._ranges
        other._choices = self._choices
        other._documents = self._documents
        other._lock = self._lock
        return other

    def _pinned(self, described: Requirement) -> Requirement:
        """Return a program's request, with the version of this store if it has none."""
        own = self._requirements.get(described.name)
        if described.version is not None or own is None:
            return described
        return replace(described, version=own.version, why=own.why)

    def is_pinned(self, name: str) -> bool:
        """Return whether the configuration, the lock file or the program pins the version of a package."""
        own = self._requirements.get(name)
        return own is not None and own.version is not None

    def extensions(self, name: str) -> tuple[str, ...]:
        """Return the packages that the program describes as made from the plugin of `name`, sorted."""
        return tuple(
            sorted(
                own
                for own, requirement in self._requirements.items()
                if own != name and requirement.base is not None and requirement.base.name == name
            )
        )

    def find(self, name: str, version: str | None = None) -> FindResult:
        """Return the package `name`: in `version`, else in the pinned version, else in the highest version that the
        project's ranges accept, else in the highest version.

        Build metadata of a version is ignored unless the whole text matches. A schema without a version replaces a
        missing one.
        """
        if name == PULUMI:
            return self._builtin
        requirement = self._requirements.get(name) or Requirement(name=name)
        if version is not None:
            requirement = replace(requirement, version=version)
        elif requirement.version is None and name in self._ranges:
            requirement = replace(requirement, ranges=self._ranges[name])
        reads = READS.get()
        if reads is not None:
            reads.packages[requirement] = None
        return self.ask(requirement)

    def ask(self, requirement: Requirement) -> FindResult:
        """Return the answer to a complete request, whatever is pinned here."""
        with self._lock:
            answer = self._answers.get(requirement)
            if answer is None:
                answer = self._answers[requirement] = self._find(requirement)
            return answer

    def choices(self) -> tuple[Choice, ...]:
        """Return the packages chosen so far, by this store and those made from it, with the reasons, sorted."""
        with self._lock:
            return tuple([self._choices[key] for key in sorted(self._choices)])

    def listing(self, name: str) -> tuple[Listed, ...]:
        """Return every schema of `name` that is known without starting anything, in the order of the sources."""
        requirement = self._requirements.get(name) or Requirement(name=name)
        with self._lock:
            return tuple(
                [
                    Listed(
                        name=name,
                        version=self._version(source, candidate) if candidate.path is not None else candidate.version or "",
                        where=candidate.where,
                        locked=bool(candidate.sha256),
                    )
                    for tier in self._tiers
                    for source, candidate in self._candidates(tier, replace(requirement, version=None))
                    if candidate.path is not None or candidate.version is not None
                ]
            )

    def places(self) -> tuple[str, ...]:
        """The names of the sources in search order."""
        return tuple([source.where for source in self._sources()])

    def names(self) -> tuple[str, ...]:
        """All packages that the sources are known to have, sorted."""
        with self._lock:
            return tuple(sorted({name for source in self._sources() for name in source.names()}))

    def versions(self, name: str) -> tuple[str, ...]:
        """Return the versions of `name`, lowest first, as far as they are known without starting anything."""
        reads = READS.get()
        if reads is not None:
            reads.versions[name] = None
        requirement = Requirement(name=name)
        with self._lock:
            versions = {
                self._version(source, candidate) if candidate.path is not None else candidate.version or ""
                for tier in self._tiers
                for source, candidate in self._candidates(tier, requirement)
            }
        return tuple(sorted((text for text in versions if text), key=_order))

    def flush(self) -> None:
        """Write new information to the cache at the end of a unit of work."""
        with self._lock:
            self._cache.flush()

    def _sources(self) -> Iterator[SchemaSource]:
        for tier in self._tiers:
            yield from tier()

    @staticmethod
    def _candidates(tier: Callable[[], Sequence[SchemaSource]], requirement: Requirement) -> list[_Pair]:
        return [(source, candidate) for source in tier() for candidate in source.candidates(requirement)]

    def _find(self, requirement: Requirement) -> FindResult:
        notes: dict[SchemaSource, str] = {}
        for candidates in self._tiers_for(requirement):
            present = len(candidates)
            while (choice := self._choose(candidates, requirement.version)) is not None:
                opened = self._open(*choice)
                if isinstance(opened, FoundPackage):
                    self._note_choice(opened, requirement, present)
                if not isinstance(opened, Lacking):
                    return opened
                notes[choice[0]] = opened.reason
                candidates.remove(choice)
        return self._not_found(requirement, notes)

    def _note_choice(self, package: FoundPackage, requirement: Requirement, present: int) -> None:
        version = package.package.version
        alone = "the only version that was found" if present == 1 else f"the highest of {present} that were found"
        if requirement.ranges:
            alone += f" for {', '.join(requirement.ranges)}"
        why = alone if requirement.version is None else requirement.why or "asked for"
        self._choices.setdefault(
            (requirement.name, version), Choice(name=requirement.name, version=version, where=package.where, why=why)
        )

    def _tiers_for(self, requirement: Requirement) -> Iterator[list[_Pair]]:
        """Yield the candidates of each tier. Candidates within the ranges come first, from any tier; others are used only
        if none fits, and reported by the caller."""
        if requirement.ranges:
            for tier in self._tiers:
                yield self._fitting(self._candidates(tier, requirement), requirement.ranges)
        for tier in self._tiers:
            yield self._candidates(tier, requirement)

    def _fitting(self, candidates: list[_Pair], ranges: tuple[str, ...]) -> list[_Pair]:
        allowed = [parse_range(text) for text in ranges]
        fitting: list[_Pair] = []
        for pair in candidates:
            version = read_version(self._version(*pair))
            if version is not None and all(range_.has(version) for range_ in allowed):
                fitting.append(pair)
        return fitting

    def _choose(self, candidates: list[_Pair], version: str | None) -> _Pair | None:
        if version is not None:
            return self._exact(candidates, version.removeprefix("v"))
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        # max() keeps the first of equals: the place that was named first.
        return max(candidates, key=lambda pair: _order(self._version(*pair)))

    def _exact(self, candidates: list[_Pair], version: str) -> _Pair | None:
        asked = parse_version(version)
        near: _Pair | None = None
        unversioned: _Pair | None = None
        for pair in candidates:
            text = self._version(*pair)
            if text == version:
                return pair
            if near is None and asked is not None and parse_version(text) == asked:
                near = pair
            unversioned = unversioned or (pair if not text else None)
        return near or unversioned

    def _version(self, source: SchemaSource, candidate: Candidate) -> str:
        if candidate.version is not None:
            return candidate.version.removeprefix("v")
        document = self._read(source, candidate)
        return document.header.version.removeprefix("v") if isinstance(document, Document) else ""

    def _read(self, source: SchemaSource, candidate: Candidate) -> Document | BadSchema | Lacking:
        document = self._documents.get((source, candidate))
        if document is None:
            document = self._documents[source, candidate] = self._checked(candidate, self._cache.open(source, candidate))
        return document

    def _checked(self, candidate: Candidate, document: Document | BadSchema | Lacking) -> Document | BadSchema | Lacking:
        """Return the document if it matches its candidate."""
        if not isinstance(document, Document):
            return document
        header = document.header
        if header.name != candidate.name:
            reason = f"the schema is that of package `{header.name}`, not `{candidate.name}`"
            return BadSchema(name=candidate.name, where=candidate.where, reason=reason)
        if not as_locked(candidate, document.identity):
            return changed(candidate)
        if not header.version and candidate.version is not None:
            header.version = candidate.version
        for language, settings in self._languages.get(candidate.name, {}).items():
            own = dict(header.language or {})
            own[language] = {**(own.get(language) or {}), **settings}
            header.language = own
        return document

    def _open(self, source: SchemaSource, candidate: Candidate) -> FoundPackage | BadSchema | Lacking:
        package = self._packages.get((source, candidate))
        if package is None:
            document = self._read(source, candidate)
            if isinstance(document, Lacking):
                return document
            package = self._packages[source, candidate] = self._open_document(document)
        return package

    def _open_document(self, document: Document | BadSchema) -> FoundPackage | BadSchema:
        if isinstance(document, BadSchema):
            return document
        try:
            return open_package(document, self._referenced)
        except ValueError as error:
            return BadSchema(name=document.header.name, where=document.where, reason=str(error))

    def _referenced(self, name: str, version: str) -> Package:
        """Return the package of a schema reference: the program's version of it, unless its major version differs and the
        named version is available, too."""
        default = self.find(name)
        described = self._requirements.get(name)
        if isinstance(default, FoundPackage) and (described is None or described.version is None):
            has, named = parse_version(default.package.version), parse_version(version)
            if has is not None and named is not None and has.major != named.major:
                exact = self.find(name, version)
                default = exact if isinstance(exact, FoundPackage) else default
        if isinstance(default, FoundPackage):
            return default.package
        label = f"{name} {version}" if version else name
        if isinstance(default, BadSchema):
            reason = f"it refers to package `{label}`, whose schema cannot be used: {default.reason}"
        else:
            reason = f"it refers to package `{label}`, which has no schema here"
        raise SchemaError(package="", path="", reason=reason, missing=(name, version))

    def _not_found(self, requirement: Requirement, notes: Mapping[SchemaSource, str]) -> NotFound:
        commands = [command for source in self._sources() if (command := source.command(requirement)) is not None]
        return NotFound(
            name=requirement.name,
            version=requirement.version,
            tried=tuple(_tried(source.where, notes.get(source, "")) for source in self._sources()),
            names=self.names(),
            versions=self.versions(requirement.name),
            commands=tuple(dict.fromkeys(commands)),
            origin=requirement.origin,
        )


def _sources_of(tier: Sequence[Place], cache: SchemaCache) -> Sequence[SchemaSource]:
    return [_source(place, cache) for place in tier]


def _source(place: Place, cache: SchemaCache) -> SchemaSource:
    if isinstance(place, str | Path):
        place = Path(place)
        return FileSource(place, identity_of=cache.stored_identity) if isfile(place) else DirectorySource(place)
    return place() if callable(place) else place


def _tier(place: Place | Sequence[Place]) -> Sequence[Place]:
    return place if isinstance(place, Sequence) and not isinstance(place, str) else [place]


def _tried(where: str, remark: str) -> str:
    return f"{where} ({remark})" if remark else where


def _order(text: str) -> tuple[bool, Version, str]:
    """Return a sort key for versions; texts that are no versions precede them."""
    version = parse_version(text)
    return (version is not None, version or Version(numbers=(0, 0, 0), prerelease=(), text=""), text)
