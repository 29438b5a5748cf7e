"""Components of other packages in programs.

Comes in: the surroundings of a `SchemaStore`, and what programs write: `component web "network/vpc"`.  Goes out: where that
is, as a path that tells components apart, and its files; or a diagnostic.  Nothing is fetched, chosen or written here: the
lock file says what is meant, and its archives are on this machine.

A path is that of a folder, relative to the program, or begins with the identity of a package: `network@1.0.6/vpc`.  A folder
of the program that has such a name is told apart by `./` in front.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

from pclgen.deps import archive
from pclgen.deps.archive import ArchiveError
from pclgen.deps.keep import Keep
from pclgen.deps.lock import Lock, Locked, LockError, read_lock
from pclgen.deps.manifest import SELF, Project
from pclgen.deps.opened import Package, open_package
from pclgen.deps.project import INSTALL, folder_states, open_project, out_of_date, ways
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.diagnostics.suggest import suggest
from pclgen.schema.config import LOCK_FILE
from pclgen.schema.load import SchemaStore
from pclgen.schema.ranges import Range, RangeError, parse_range, read_version
from pclgen.source.load import LoadedProgram, LoadError, RawFile, read_component, read_directory
from pclgen.source.located import Located
from pclgen.source.text import Span

NOT_HERE = f"it is fetched once: {INSTALL}"


class Dependencies:
    """What the programs of one project may use of other packages."""

    def __init__(
        self, project: Project, lock: Lock | None, keep: Keep, *, problem: str | None, hint: str, packaging: str
    ) -> None:
        """`problem` says why the lock file cannot be followed, `hint` what to do; `packaging` changes with it and the
        manifest."""
        self._project = project
        self._lock = lock
        self._keep = keep
        self._problem = problem
        self._hint = hint
        self._packages = lock.by_name if lock is not None and problem is None else {}
        self._identities = {package.identity: package for package in self._packages.values()}
        self._opened: dict[str, Package | str] = {}
        self._packaging = packaging

    @property
    def state(self) -> str:
        """A text that changes with everything that is known here."""
        here = [self._keep.has(package.digest) for package in self._packages.values() if package.digest]
        parts = [self._packaging, folder_states(self._project, self._lock), here]
        return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()

    # Where a component is

    def locate(self, directory: str, text: str, span: Span) -> Located | Diagnostic:
        """The component `text` of the program or component in `directory`."""
        owner = self._owner(directory)
        first, _, rest = text.partition("/")
        known = self._project.manifest.dependencies if owner is None else owner.dependencies
        if first in known:
            return self._exported(first, posixpath.normpath(rest) if rest else SELF, text, span)
        similar = suggest(first, known) if first not in ("", ".", "..") else None
        hint = f'did you mean "{"/".join(filter(None, (similar, rest)))}"?' if similar is not None else None
        if owner is None:
            path = posixpath.normpath(posixpath.join(directory, text))
            if path.split("/", 1)[0] in self._identities:
                return Located(f"./{path}", posixpath.basename(path), hint)
            return Located(path, posixpath.basename(path), hint)
        folder = _inside(owner, directory)
        opened = self._open(owner) if owner.digest else None
        if isinstance(opened, Package):
            inner = opened.component(folder, text)
        else:
            inner = posixpath.normpath(posixpath.join(folder, text))
        if posixpath.isabs(inner) or inner.split("/", 1)[0] == "..":
            return say.outside_package(owner.identity, span)
        return _in_package(owner, inner, hint)

    def _exported(self, name: str, export: str, text: str, span: Span) -> Located | Diagnostic:
        package = self._packages.get(name)
        if package is None:
            reason = self._problem or f"pclgen.lock does not have `{name}`"
            return say.not_locked(f"which `{name}` is meant is not known: {reason}", span, self._hint)
        if export not in package.exports:
            written = [name if own == SELF else f"{name}/{own}" for own in package.exports]
            return say.unknown_export(package.identity, text, written, span)
        if package.digest:
            opened = self._open(package)
            if opened is None:
                return say.not_locked(f"{package.identity} is not on this machine", span, NOT_HERE)
            if isinstance(opened, str):
                return say.unusable(f"{package.identity}: {opened}", "", span, None)
        return _in_package(package, package.exports[export], None)

    def _owner(self, directory: str) -> Locked | None:
        """The package that a directory lies in; None for those of the program itself."""
        return self._identities.get(directory.split("/", 1)[0])

    # What is there

    def read(self, sources: LoadedProgram, path: str) -> tuple[RawFile, ...] | str:
        """The files of the component at a path of `locate`, or why there are none."""
        package = self._owner(path)
        if package is None:
            return read_component(sources, posixpath.normpath(path))
        inner = _inside(package, path)
        if package.digest:
            return self._from_archive(package, inner)
        top = self._project.folder / package.place
        place = top / inner
        if not place.is_dir():
            return "is not a directory" if place.exists() else "does not exist"
        try:
            found = read_directory(place, _real(top), sources.named_from or Path.cwd())
        except LoadError as problem:
            return str(problem)
        return found or "holds no .pp files"

    def _from_archive(self, package: Locked, inner: str) -> tuple[RawFile, ...] | str:
        opened = self._open(package)
        if not isinstance(opened, Package):
            return opened or "is not on this machine"
        found = opened.sources(inner)
        if isinstance(found, str):
            return found
        return tuple([RawFile(name=f"{package.identity}/{name}", path=None, data=found[name]) for name in found])

    def _open(self, package: Locked) -> Package | str | None:
        """What an archive or a pack holds; None when it is not on this machine, a text says what is wrong with it."""
        if package.digest not in self._opened:
            data = self._keep.read(package.digest)
            if data is None:
                return None
            try:
                self._opened[package.digest] = open_package(data)
            except ArchiveError as error:
                self._opened[package.digest] = str(error)
        return self._opened[package.digest]

    def folder(self, sources: LoadedProgram, path: str) -> Path | None:
        """The folder on disk of a component at a path of `locate`; None for one in an archive."""
        package = self._owner(path)
        if package is None:
            return sources.root / path
        inner = _inside(package, path)
        return None if package.digest else self._project.folder / package.place / inner

    def exported(self, folder: Path) -> tuple[str, str]:
        """Under which name, in which version, this project exports a folder; "" when it does not."""
        manifest = self._project.manifest
        for export, place in sorted(manifest.exports.items()):
            if manifest.name and manifest.version and _real(self._project.folder / place) == _real(folder):
                name = manifest.name if export == SELF else posixpath.basename(export)
                return name, manifest.version.text
        return "", ""

    def files(self) -> Iterator[Path]:
        """The manifests and the lock file that say what is meant."""
        yield self._project.folder / LOCK_FILE
        for package in self._packages.values():
            if package.source == "path":
                yield self._project.folder / package.place / archive.MANIFEST

    # Provider packages

    def provider_ranges(self) -> Mapping[str, tuple[str, ...]]:
        """The ranges of each provider package that somebody has one for, the project's first."""
        found = {name: [one.text] for name, one in self._project.manifest.providers.items()}
        for package in self._packages.values():
            for name, text in package.providers.items():
                found.setdefault(name, []).append(_range(text).text)
        return {name: tuple(dict.fromkeys(texts)) for name, texts in sorted(found.items())}

    def wrong_providers(self, used: Sequence[tuple[str, str]]) -> Iterator[Diagnostic]:
        """What is to be said of provider packages (names and versions) that are `used` in a version that somebody who uses
        them does not want."""
        manifest = self._project.manifest
        for name, text in used:
            version = read_version(text)
            ranges: dict[str, Range] = {"": manifest.providers[name]} if name in manifest.providers else {}
            for package in self._packages.values():
                if name in package.providers:
                    ranges[package.name] = _range(package.providers[name])
            if version is not None and any(not one.has(version) for one in ranges.values()):
                yield self._wrong(name, text, {who: one for who, one in ranges.items() if not one.has(version)})

    def _wrong(self, name: str, version: str, ranges: Mapping[str, Range]) -> Diagnostic:
        found = ways(self._project, self._lock) if self._lock is not None else {}
        told: list[tuple[str, Span]] = []
        for who in sorted(ranges):
            steps = ["this project", *(self._packages[step].identity for step in found.get(who, ()))]
            span = self._project.span("dependencies", found[who][0]) if who else self._project.span("providers", name)
            told.append((f"{' → '.join(steps)} wants {name} {ranges[who].text}", span))
        paths = [(text, None if at == 0 else span) for at, (text, span) in enumerate(told)]
        return say.wrong_provider(name, version, paths, told[0][1])


def _inside(package: Locked, path: str) -> str:
    """A folder of a package, from a path of `locate`."""
    return path.removeprefix(package.identity).lstrip("/") or SELF


def _in_package(package: Locked, folder: str, hint: str | None) -> Located:
    if folder == SELF:
        return Located(package.identity, package.name, hint)
    return Located(f"{package.identity}/{folder}", posixpath.basename(folder), hint)


def _real(folder: Path) -> Path:
    try:
        return folder.resolve()
    except (OSError, RuntimeError):
        return folder


def _range(text: str) -> Range:
    """A range of the lock file; one that is none lets no version fit."""
    try:
        return parse_range(text)
    except RangeError:
        return parse_range("<0.0.0")


_KNOWN: WeakKeyDictionary[SchemaStore, Dependencies | Diagnostic | None] = WeakKeyDictionary()


def dependencies_of(store: SchemaStore) -> Dependencies | Diagnostic | None:
    """What the programs of a store may use of other packages; None when nothing is said of that, and a diagnostic for a
    manifest that cannot be followed."""
    if store.surroundings is None or not store.surroundings.packaging:
        return None
    if store not in _KNOWN:
        _KNOWN[store] = _open(store)
    return _KNOWN[store]


def _open(store: SchemaStore) -> Dependencies | Diagnostic:
    around = store.surroundings
    assert around is not None
    project = open_project(around.path)
    if isinstance(project, Diagnostic):
        return project
    keep = Keep(around.kept_in())
    hint = INSTALL
    try:
        lock = read_lock(project.folder)
        problem = out_of_date(project, lock)
    except LockError as error:
        lock, problem, hint = None, str(error), error.hint
    return Dependencies(project, lock, keep, problem=problem, hint=hint, packaging=around.packaging)
