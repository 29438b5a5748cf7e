"""Choosing a version of every package, by resolvelib.

Comes in: the manifest of a project, a `Catalog`, and what was chosen before.  Goes out: the chosen packages, or the one
diagnostic that says why there is no choice.  There is one version of each package: the newest that fits all who want it; a
version that was chosen before stays as long as it fits, unless it is to be updated.

This module loads resolvelib: import it when there is something to choose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from resolvelib import AbstractProvider, BaseReporter, ResolutionImpossible, ResolutionTooDeep, Resolver

from pclgen.deps.catalog import Catalog, CatalogError, Offer, Place
from pclgen.deps.lock import Locked
from pclgen.deps.manifest import Project, Wanted
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.records import dataclass
from pclgen.source.text import Span

if TYPE_CHECKING:
    from resolvelib.resolvers import RequirementInformation

ROOT = "this project"
"""What messages call the project in front of which somebody stands."""
_MOST_ROUNDS = 20_000
_MOST_PATHS = 8


@dataclass(frozen=True, slots=True, eq=False)
class _Want:
    """What one package (None: the project) wants of another; paths in it are relative to the folder `base`."""

    by: Offer | None
    wanted: Wanted
    base: str

    @property
    def name(self) -> str:
        return self.wanted.name

    @property
    def is_told(self) -> bool:
        """Whether it says where the package is."""
        return bool(self.wanted.path or self.wanted.url)


class _StoppedError(Exception):
    """There is no way to go on; the diagnostic says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


_OWN = Place(source="path", place=".")
"""Where the project itself is, for a package that depends on it: that is a circle."""


@dataclass(slots=True, eq=False)
class _Search:
    """What can be chosen, and who wanted what of whom in the course of the search."""

    project: Project
    catalog: Catalog
    kept: Mapping[str, Locked]
    wants: dict[str, dict[str, _Want]] = field(default_factory=dict)

    def note(self, want: _Want) -> None:
        """Somebody wants something; the last version that does counts."""
        self.wants.setdefault(want.name, {})[want.by.name if want.by is not None else ""] = want

    def offers(self, name: str, wants: Sequence[_Want]) -> Sequence[Offer]:
        """All that there is of a package for those who want it."""
        own = self.project.manifest
        if name == own.name and own.version is not None:
            return [Offer(name=name, version=own.version, place=_OWN, digest="", wants={}, providers={})]
        told = next((want for want in wants if want.is_told), None)
        if told is not None:
            return [self.told(told)]
        try:
            return self.catalog.versions(name)
        except CatalogError as error:
            raise _StoppedError(self.unusable(error, wants[0])) from error

    def told(self, want: _Want) -> Offer:
        """The package at the place that somebody names."""
        try:
            return self.catalog.at(want.wanted, base=want.base)
        except CatalogError as error:
            raise _StoppedError(self.unusable(error, want)) from error

    def fits(self, want: _Want, offer: Offer) -> bool:
        """Whether an offer is what somebody wants."""
        if offer.place == _OWN:
            return True  # told as a circle
        if want.is_told and self.told(want).place != offer.place:
            return False
        digest = want.wanted.digest
        return want.wanted.range.has(offer.version) and (not digest or offer.digest == digest)

    def is_kept(self, offer: Offer) -> bool:
        """Whether an offer is what was chosen before."""
        kept = self.kept.get(offer.name)
        return kept is not None and kept.version == offer.version.text

    def unusable(self, error: CatalogError, want: _Want) -> Diagnostic:
        """What to say when a package cannot be had."""
        make = say.wrong_digest if error.is_digest else say.unusable
        return make(str(error), self.path_to(want), self.span_of(want), error.hint)

    def path_to(self, want: _Want) -> str:
        """How the project comes to want something: `this project → network@1.0.6 wants storage ^2`."""
        steps = [ROOT, *(offer.identity for offer in self.way_to(want.by))]
        return f"{' → '.join(steps)} wants {want.name} {want.wanted.shown}"

    def span_of(self, want: _Want) -> Span:
        """Where the manifest of the project begins that way."""
        way = self.way_to(want.by)
        return self.project.span("dependencies", way[0].name if way else want.name)

    def way_to(self, last: Offer | None) -> Sequence[Offer]:
        """The packages on the shortest way from the project to `last`, with it; the same each time."""
        if last is None:
            return ()
        ways: dict[str, Sequence[Offer]] = {last.name: (last,)}
        level = [last.name]
        while level:
            above: list[str] = []
            for name in level:
                for by, want in sorted(self.wants.get(name, {}).items()):
                    if want.by is None:
                        return ways[name]
                    if by not in ways:
                        ways[by] = (want.by, *ways[name])
                        above.append(by)
            level = above
        return ways[last.name]


class _Provider(AbstractProvider[_Want, Offer, str]):
    """A search in the form that resolvelib asks."""

    def __init__(self, search: _Search) -> None:
        self._search = search

    def identify(self, requirement_or_candidate: _Want | Offer) -> str:
        return requirement_or_candidate.name

    def get_preference(self, identifier: str, *others: Any, **facts: Any) -> tuple[bool, bool, str]:
        """Whom to choose next: whoever was in the way before, then those whose place is told, then by name.

        resolvelib gives all it knows, by name.
        """
        causes: Sequence[RequirementInformation[_Want, Offer]] = facts["backtrack_causes"]
        information: Mapping[str, Iterator[RequirementInformation[_Want, Offer]]] = facts["information"]
        is_cause = any(
            cause.requirement.name == identifier or (cause.parent is not None and cause.parent.name == identifier)
            for cause in causes
        )
        return not is_cause, not any(one.requirement.is_told for one in information[identifier]), identifier

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[_Want]],
        incompatibilities: Mapping[str, Iterator[Offer]],
    ) -> list[Offer]:
        """What fits all who want a package: what was chosen before, then the newest first."""
        wants = list(requirements[identifier])
        refused = {(offer.version.text, offer.place) for offer in incompatibilities[identifier]}
        fitting = [
            offer
            for offer in self._search.offers(identifier, wants)
            if (offer.version.text, offer.place) not in refused and all(self._search.fits(want, offer) for want in wants)
        ]
        return sorted(fitting, key=lambda offer: not self._search.is_kept(offer))

    def is_satisfied_by(self, requirement: _Want, candidate: Offer) -> bool:
        return self._search.fits(requirement, candidate)

    def get_dependencies(self, candidate: Offer) -> Iterable[_Want]:
        base = candidate.place.place if candidate.place.source == "path" else "."
        wants = [_Want(candidate, candidate.wants[name], base) for name in sorted(candidate.wants)]
        for want in wants:
            self._search.note(want)
        return wants


def resolve(
    project: Project, catalog: Catalog, *, kept: Mapping[str, Locked] | None = None, updated: Collection[str] | None = ()
) -> Sequence[Locked] | Diagnostic:
    """The packages that a project needs, sorted by name, all of them on this machine; or why there is no choice.

    `kept` was chosen before, and stays unless it is among `updated` (None: all are).
    """
    stays = {name: one for name, one in (kept or {}).items() if updated is not None and name not in updated}
    search = _Search(project, catalog, stays)
    try:
        chosen = _chosen(search)
        _demand_no_circle(search, chosen)
        return [_locked(search, chosen[name]) for name in sorted(chosen)]
    except _StoppedError as stop:
        return stop.diagnostic


def _chosen(search: _Search) -> Mapping[str, Offer]:
    dependencies = search.project.manifest.dependencies
    wants = [_Want(None, dependencies[name], ".") for name in sorted(dependencies)]
    for want in wants:
        search.note(want)
    reporter: BaseReporter[_Want, Offer, str] = BaseReporter()
    try:
        return Resolver(_Provider(search), reporter).resolve(wants, max_rounds=_MOST_ROUNDS).mapping
    except ResolutionImpossible as error:
        causes = {(one.requirement.by, one.requirement.wanted): one.requirement for one in error.causes}
        raise _StoppedError(_impossible(search, list(causes.values()))) from error
    except ResolutionTooDeep as error:
        hint = "narrow the ranges"
        message = f"no choice was found in {_MOST_ROUNDS:,} steps"
        raise _StoppedError(say.unusable(message, "", search.project.span("dependencies"), hint)) from error


def _impossible(search: _Search, causes: Sequence[_Want]) -> Diagnostic:
    """Why there is no choice: the first package, by name, of which nothing fits."""
    groups: dict[str, list[_Want]] = {}
    for want in causes:
        groups.setdefault(want.name, []).append(want)
    for name in sorted(groups):
        wants = sorted(groups[name], key=search.path_to)
        offers = search.offers(name, wants)
        versions = [offer.version.text for offer in offers]
        lonely = next((want for want in wants if not any(search.fits(want, offer) for offer in offers)), None)
        told = {search.told(want).place for want in wants if want.is_told}
        if lonely is not None and (not told or (lonely.is_told and len(told) == 1)):
            return say.nothing_found(
                name,
                lonely.wanted.shown,
                search.path_to(lonely),
                search.span_of(lonely),
                versions=versions,
                names=search.catalog.names if not versions else (),
                has_indexes=search.catalog.has_indexes,
            )
        if not any(all(search.fits(want, offer) for want in wants) for offer in offers):
            return _conflict(search, name, wants, versions)
    first = sorted(groups)[0]
    wants = sorted(causes, key=search.path_to)
    return _conflict(search, first, wants, [offer.version.text for offer in search.offers(first, groups[first])])


def _conflict(search: _Search, name: str, wants: Sequence[_Want], versions: Sequence[str]) -> Diagnostic:
    shown = wants[:_MOST_PATHS]
    first = search.span_of(shown[0])
    spans = [search.span_of(want) for want in shown]
    paths = [(search.path_to(want), span if span != first else None) for want, span in zip(shown, spans, strict=True)]
    if any(want.is_told for want in wants):
        return say.two_places(name, paths, first)
    return say.conflict(name, paths, versions, first)


def _demand_no_circle(search: _Search, chosen: Mapping[str, Offer]) -> None:
    """Raises `_StoppedError` for packages that need each other."""
    own = search.project.manifest.name
    if own is not None and own in chosen:
        by = next(want for _, want in sorted(search.wants[own].items()))
        way = [offer.name for offer in search.way_to(by.by)]
        span = search.project.span("dependencies", way[0] if way else own)
        raise _StoppedError(say.circle([own, *way, own], span))
    done: set[str] = set()
    for first in sorted(search.project.manifest.dependencies):
        # A way down, with what is still to be looked at on each step.
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
                raise _StoppedError(say.circle(steps, search.project.span("dependencies", first)))
            if name not in done:
                way.append(name)
                left.append(sorted(chosen[name].wants))


def _locked(search: _Search, offer: Offer) -> Locked:
    """What the lock file notes of a package; its archive is fetched for that."""
    wants = {name: offer.wants[name].text for name in sorted(offer.wants)}
    providers = {name: offer.providers[name].text for name in sorted(offer.providers)}
    locked = Locked(
        name=offer.name,
        version=offer.version.text,
        source=offer.place.source,
        place=offer.place.place,
        file=offer.place.file,
        digest=offer.digest,
        dependencies=wants,
        providers=providers,
    )
    want = search.wants[offer.name][sorted(search.wants[offer.name])[0]]
    try:
        manifest = search.catalog.manifest(locked)
    except CatalogError as error:
        raise _StoppedError(search.unusable(error, want)) from error
    if {**manifest.wants} != {**locked.wants} and offer.place.source != "path":
        problem = CatalogError(f"the manifest of {offer.identity} says other things than the index {offer.place.place}")
        raise _StoppedError(search.unusable(problem, want))
    return Locked(
        name=locked.name,
        version=locked.version,
        source=locked.source,
        place=locked.place,
        file=locked.file,
        digest=locked.digest,
        exports=dict(sorted(manifest.exports.items())),
        dependencies=wants,
        providers=providers,
    )
