"""Dependency resolution, by resolvelib.

Each package has one version: the newest that satisfies all requirements; versions from the lock file are kept as long as
they fit, unless an update is requested. A failure is one diagnostic. Import this module only for a resolution, since it
loads resolvelib.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace
from resolvelib import AbstractProvider, BaseReporter, ResolutionImpossible, ResolutionTooDeep, Resolver

from pclgen.deps.catalog import Candidate, Catalog, CatalogError, PackageSource
from pclgen.deps.lock import Locked
from pclgen.deps.manifest import Dependency, Project
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Span

if TYPE_CHECKING:
    from resolvelib.resolvers import RequirementInformation

ROOT = "this project"
"""The name of the project in dependency paths of messages."""
_MOST_ROUNDS = 20_000
_MOST_PATHS = 8


class _Requirement(Struct, frozen=True, eq=False):
    """A requirement of one package (None: the project) on another; its paths are relative to the folder `base`."""

    by: Candidate | None
    dependency: Dependency
    base: str

    @property
    def name(self) -> str:
        return self.dependency.name

    @property
    def has_source(self) -> bool:
        """Whether it names a path or a URL."""
        return bool(self.dependency.path or self.dependency.url)


class _StoppedError(Exception):
    """Resolution cannot continue; the diagnostic gives the reason."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


_OWN = PackageSource(source="path", place=".")
"""The source of the project itself, for a package that depends on it, which is a cycle."""


class _Search(Struct, eq=False):
    """The state of a resolution: the catalog, and all requirements met so far."""

    project: Project
    catalog: Catalog
    locked: Mapping[str, Locked]
    wants: dict[str, dict[str, _Requirement]] = field(default_factory=dict)

    def note(self, want: _Requirement) -> None:
        """Record a requirement; the last version of a package that has it counts."""
        self.wants.setdefault(want.name, {})[want.by.name if want.by is not None else ""] = want

    def candidates(self, name: str, wants: Sequence[_Requirement]) -> Sequence[Candidate]:
        """Return all candidates for these requirements on one package."""
        own = self.project.manifest
        if name == own.name and own.version is not None:
            return [Candidate(name=name, version=own.version, place=_OWN, digest="", wants={}, providers={})]
        located = next((want for want in wants if want.has_source), None)
        if located is not None:
            return [self.at_source(located)]
        try:
            return self.catalog.versions(name)
        except CatalogError as error:
            raise _StoppedError(self.unusable(error, wants[0])) from error

    def at_source(self, want: _Requirement) -> Candidate:
        """Return the package at the path or URL of a requirement."""
        try:
            return self.catalog.at(want.dependency, base=want.base)
        except CatalogError as error:
            raise _StoppedError(self.unusable(error, want)) from error

    def fits(self, want: _Requirement, candidate: Candidate) -> bool:
        """Return whether a candidate satisfies a requirement."""
        if candidate.place == _OWN:
            return True  # reported as a cycle
        if want.has_source and self.at_source(want).place != candidate.place:
            return False
        digest = want.dependency.digest
        return want.dependency.range.has(candidate.version) and (not digest or candidate.digest == digest)

    def is_kept(self, candidate: Candidate) -> bool:
        """Return whether a candidate is the previously chosen version."""
        pinned = self.locked.get(candidate.name)
        return pinned is not None and pinned.version == candidate.version.text

    def unusable(self, error: CatalogError, want: _Requirement) -> Diagnostic:
        """Return the diagnostic of an unavailable package."""
        make = say.wrong_digest if error.is_digest else say.unusable
        return make(str(error), self.path_to(want), self.span_of(want), error.hint)

    def path_to(self, want: _Requirement) -> str:
        """Return the dependency path to a requirement: `this project → network@1.0.6 wants storage ^2`."""
        steps = [ROOT, *(candidate.identity for candidate in self.path_from_project(want.by))]
        return f"{' → '.join(steps)} wants {want.name} {want.dependency.shown}"

    def span_of(self, want: _Requirement) -> Span:
        """Return the span of the first step of that path in the manifest of the project."""
        way = self.path_from_project(want.by)
        return self.project.span("dependencies", way[0].name if way else want.name)

    def path_from_project(self, last: Candidate | None) -> Sequence[Candidate]:
        """Return the packages on the shortest path from the project to `last`, including it; deterministic."""
        if last is None:
            return ()
        paths: dict[str, Sequence[Candidate]] = {last.name: (last,)}
        level = [last.name]
        while level:
            next_level: list[str] = []
            for name in level:
                for by, requirement in sorted(self.wants.get(name, {}).items()):
                    if requirement.by is None:
                        return paths[name]
                    if by not in paths:
                        paths[by] = (requirement.by, *paths[name])
                        next_level.append(by)
            level = next_level
        return paths[last.name]


class _Provider(AbstractProvider[_Requirement, Candidate, str]):
    """A search in the interface of resolvelib."""

    def __init__(self, search: _Search) -> None:
        self._search = search

    def identify(self, requirement_or_candidate: _Requirement | Candidate) -> str:
        return requirement_or_candidate.name

    def get_preference(self, identifier: str, *others: Any, **facts: Any) -> tuple[bool, bool, str]:
        """Order packages: causes of conflicts first, then those with a path or URL, then by name.

        resolvelib passes further arguments by name.
        """
        causes: Sequence[RequirementInformation[_Requirement, Candidate]] = facts["backtrack_causes"]
        information: Mapping[str, Iterator[RequirementInformation[_Requirement, Candidate]]] = facts["information"]
        is_cause = any(
            cause.requirement.name == identifier or (cause.parent is not None and cause.parent.name == identifier)
            for cause in causes
        )
        return not is_cause, not any(requirer.requirement.has_source for requirer in information[identifier]), identifier

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[_Requirement]],
        incompatibilities: Mapping[str, Iterator[Candidate]],
    ) -> list[Candidate]:
        """Return the candidates that satisfy all requirements: the kept version, then the newest first."""
        wants = list(requirements[identifier])
        refused = {(candidate.version.text, candidate.place) for candidate in incompatibilities[identifier]}
        fitting = [
            candidate
            for candidate in self._search.candidates(identifier, wants)
            if (candidate.version.text, candidate.place) not in refused
            and all(self._search.fits(want, candidate) for want in wants)
        ]
        return sorted(fitting, key=lambda candidate: not self._search.is_kept(candidate))

    def is_satisfied_by(self, requirement: _Requirement, candidate: Candidate) -> bool:
        return self._search.fits(requirement, candidate)

    def get_dependencies(self, candidate: Candidate) -> Iterable[_Requirement]:
        base = candidate.place.place if candidate.place.source == "path" else "."
        wants = [_Requirement(candidate, candidate.wants[name], base) for name in sorted(candidate.wants)]
        for want in wants:
            self._search.note(want)
        return wants


def resolve(
    project: Project, catalog: Catalog, *, locked: Mapping[str, Locked] | None = None, updated: Collection[str] | None = ()
) -> Sequence[Locked] | Diagnostic:
    """Return the packages that a project needs, sorted by name and downloaded; or a diagnostic.

    Versions in `locked` are preferred, except for packages in `updated` (None: all).
    """
    pinned = {name: package for name, package in (locked or {}).items() if updated is not None and name not in updated}
    search = _Search(project, catalog, pinned)
    try:
        chosen = _chosen(search)
        _reject_cycles(search, chosen)
        return [_locked(search, chosen[name]) for name in sorted(chosen)]
    except _StoppedError as stop:
        return stop.diagnostic


def _chosen(search: _Search) -> Mapping[str, Candidate]:
    dependencies = search.project.manifest.dependencies
    wants = [_Requirement(None, dependencies[name], ".") for name in sorted(dependencies)]
    for want in wants:
        search.note(want)
    reporter: BaseReporter[_Requirement, Candidate, str] = BaseReporter()
    try:
        return Resolver(_Provider(search), reporter).resolve(wants, max_rounds=_MOST_ROUNDS).mapping
    except ResolutionImpossible as error:
        causes = {(cause.requirement.by, cause.requirement.dependency): cause.requirement for cause in error.causes}
        raise _StoppedError(_explain_conflict(search, list(causes.values()))) from error
    except ResolutionTooDeep as error:
        hint = "narrow the ranges"
        message = f"no choice was found in {_MOST_ROUNDS:,} steps"
        raise _StoppedError(say.unusable(message, "", search.project.span("dependencies"), hint)) from error


def _explain_conflict(search: _Search, causes: Sequence[_Requirement]) -> Diagnostic:
    """Return a diagnostic for the first package, by name, without a fitting candidate."""
    groups: dict[str, list[_Requirement]] = {}
    for want in causes:
        groups.setdefault(want.name, []).append(want)
    for name in sorted(groups):
        wants = sorted(groups[name], key=search.path_to)
        candidates = search.candidates(name, wants)
        versions = [candidate.version.text for candidate in candidates]
        lonely = next((want for want in wants if not any(search.fits(want, candidate) for candidate in candidates)), None)
        sources = {search.at_source(want).place for want in wants if want.has_source}
        if lonely is not None and (not sources or (lonely.has_source and len(sources) == 1)):
            return say.nothing_found(
                name,
                lonely.dependency.shown,
                search.path_to(lonely),
                search.span_of(lonely),
                versions=versions,
                names=search.catalog.names if not versions else (),
                has_indexes=search.catalog.has_indexes,
            )
        if not any(all(search.fits(want, candidate) for want in wants) for candidate in candidates):
            return _conflict(search, name, wants, versions)
    first = sorted(groups)[0]
    wants = sorted(causes, key=search.path_to)
    return _conflict(search, first, wants, [candidate.version.text for candidate in search.candidates(first, groups[first])])


def _conflict(search: _Search, name: str, wants: Sequence[_Requirement], versions: Sequence[str]) -> Diagnostic:
    shown = wants[:_MOST_PATHS]
    first = search.span_of(shown[0])
    spans = [search.span_of(want) for want in shown]
    paths = [(search.path_to(want), span if span != first else None) for want, span in zip(shown, spans, strict=True)]
    if any(want.has_source for want in wants):
        return say.two_places(name, paths, first)
    return say.conflict(name, paths, versions, first)


def _reject_cycles(search: _Search, chosen: Mapping[str, Candidate]) -> None:
    """Raise `_StoppedError` if packages depend on each other."""
    own = search.project.manifest.name
    if own is not None and own in chosen:
        by = next(want for _, want in sorted(search.wants[own].items()))
        way = [candidate.name for candidate in search.path_from_project(by.by)]
        span = search.project.span("dependencies", way[0] if way else own)
        raise _StoppedError(say.cycle([own, *way, own], span))
    done: set[str] = set()
    for first in sorted(search.project.manifest.dependencies):
        # Depth-first search: the current path, and the unvisited dependencies of each step.
        way = [first]
        left = [sorted(chosen[first].wants)]
        while way:
            if not left[-1]:
                done.add(way.pop())
                left.pop()
                continue
            name = left[-1].pop(0)
            if name in way:
                steps = [*way[way.index(name) :], name]
                raise _StoppedError(say.cycle(steps, search.project.span("dependencies", first)))
            if name not in done:
                way.append(name)
                left.append(sorted(chosen[name].wants))


def _locked(search: _Search, candidate: Candidate) -> Locked:
    """Return the lock file entry of a candidate, and download its archive for that."""
    wants = {name: candidate.wants[name].text for name in sorted(candidate.wants)}
    providers = {name: candidate.providers[name].text for name in sorted(candidate.providers)}
    locked = Locked(
        name=candidate.name,
        version=candidate.version.text,
        source=candidate.place.source,
        place=candidate.place.place,
        file=candidate.place.file,
        digest=candidate.digest,
        dependencies=wants,
        providers=providers,
    )
    want = search.wants[candidate.name][sorted(search.wants[candidate.name])[0]]
    try:
        manifest = search.catalog.manifest(locked)
    except CatalogError as error:
        raise _StoppedError(search.unusable(error, want)) from error
    if {**manifest.wants} != {**locked.wants} and candidate.place.source != "path":
        message = f"the manifest of {candidate.identity} says other things than the index {candidate.place.place}"
        problem = CatalogError(message)
        raise _StoppedError(search.unusable(problem, want))
    return replace(locked, exports=dict(sorted(manifest.exports.items())))
