"""The dependencies of a project, read, and their components in programs, such as `component web "network/vpc"`.

A project is read as its manifest together with its lock file. The path of a component is its folder relative to the
program, or begins with the identity of a package: `network@1.0.6/vpc`. A program's own folder with such a name gets the
prefix `./`. This module does not download, choose or write: it follows the lock file and reads local archives.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

from pclgen.deps import archive
from pclgen.deps.archive import MANIFEST, ArchiveCache, ArchiveError
from pclgen.deps.lock import Lock, Locked, LockError, read_lock
from pclgen.deps.manifest import SELF, SIZE_LIMIT, Manifest, ManifestError, Project, read_manifest, span_of
from pclgen.deps.opened import Package, open_package
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.diagnostics.suggest import suggest
from pclgen.schema.config import LOCK_FILE
from pclgen.schema.load import SchemaStore
from pclgen.schema.ranges import Range, RangeError, parse_range, read_version
from pclgen.source.files import Located, read_regular
from pclgen.source.load import LoadedProgram, LoadError, RawFile, read_component, read_directory
from pclgen.source.text import SourceFile, Span

# -- manifest and lock file -------------------------------------------------------------------------------------------------

INSTALL = "run `pclgen deps install`"


def open_project(path: Path) -> Project | Diagnostic:
    """Return the project with the configuration `path`, or a diagnostic for invalid package settings."""
    try:
        data = read_regular(path, most=SIZE_LIMIT)
    except OSError as error:
        return say.bad_entry(f"{_shown(path)} cannot be read: {error.strerror or error}", None, None)
    text = data.decode("utf-8-sig", "replace")
    try:
        return with_text(path, text)
    except ManifestError as error:
        source = SourceFile(_shown(path), text)
        return say.bad_entry(str(error), span_of(source, error.keys), error.hint)


def with_text(path: Path, text: str) -> Project:
    """Return the project as if its configuration `path` had this text. Raises `ManifestError`."""
    manifest = read_manifest(text.encode("utf-8"), file=path.name)
    return Project(folder=path.parent, source=SourceFile(_shown(path), text), manifest=manifest)


def _shown(path: Path) -> str:
    return Path(os.path.relpath(path)).as_posix()


def out_of_date(project: Project, lock: Lock | None) -> str | None:
    """Return the reason why the lock file does not match the project, or None."""
    wants = project.manifest.wants["dependencies"]
    if lock is None:
        return "there is no pclgen.lock yet" if wants else None
    if lock.wants != wants:
        return "pclgen.lock was written for other dependencies than pclgen.toml has now"
    for package in lock.packages:
        if package.source == "path" and not _is_the_same(package, _manifest_of(project.folder / package.place)):
            return f"{package.place}/{MANIFEST} has changed since pclgen.lock was written"
    return None


def _manifest_of(folder: Path) -> Manifest | None:
    try:
        return read_manifest(read_regular(folder / MANIFEST, most=SIZE_LIMIT))
    except (OSError, ManifestError):
        return None


def _is_the_same(package: Locked, manifest: Manifest | None) -> bool:
    return (
        manifest is not None
        and manifest.version is not None
        and (manifest.name, manifest.version.text) == (package.name, package.version)
        and dict(manifest.wants) == dict(package.wants)
        and dict(manifest.exports) == package.exports
    )


def folder_states(project: Project, lock: Lock | None) -> Sequence[object]:
    """Return a value that changes when the manifest of a package in a folder changes."""
    packages = [package for package in (lock.packages if lock is not None else ()) if package.source == "path"]
    return [repr(_manifest_of(project.folder / package.place)) for package in packages]


def dependency_paths(project: Project, lock: Lock) -> Mapping[str, Sequence[str]]:
    """Return the shortest dependency path from the project to each package, as names, ending with the package itself."""
    packages = lock.by_name
    paths: dict[str, Sequence[str]] = {}
    level: list[Sequence[str]] = [(name,) for name in sorted(project.manifest.dependencies)]
    while level:
        below: list[Sequence[str]] = []
        for path in level:
            if path[-1] in packages and path[-1] not in paths:
                paths[path[-1]] = path
                below += [(*path, name) for name in sorted(packages[path[-1]].dependencies)]
        level = below
    return paths


NOT_HERE = f"it is fetched once: {INSTALL}"


class Dependencies:
    """The component packages that programs of one project may use."""

    def __init__(
        self, project: Project, lock: Lock | None, keep: ArchiveCache, *, problem: str | None, hint: str, packaging: str
    ) -> None:
        """`problem` is the reason why the lock file is unusable, `hint` the next step; `packaging` changes with it and the
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
        """A text that changes with everything known about other packages."""
        here = [self._keep.has(package.digest) for package in self._packages.values() if package.digest]
        parts = [self._packaging, folder_states(self._project, self._lock), here]
        return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()

    # Lookup

    def locate(self, directory: str, text: str, span: Span) -> Located | Diagnostic:
        """Return the component `text` of the program or component in `directory`."""
        owner = self._owner(directory)
        first, _, rest = text.partition("/")
        dependencies = self._project.manifest.dependencies if owner is None else owner.dependencies
        if first in dependencies:
            return self._exported(first, posixpath.normpath(rest) if rest else SELF, text, span)
        similar = suggest(first, dependencies) if first not in ("", ".", "..") else None
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
        """Return the package that contains a directory; None for directories of the program itself."""
        return self._identities.get(directory.split("/", 1)[0])

    # Installed packages

    def read(self, sources: LoadedProgram, path: str) -> tuple[RawFile, ...] | str:
        """Return the files of the component at a path from `locate`, or the reason why there are none."""
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
            files = read_directory(place, _real(top), sources.named_from or Path.cwd())
        except LoadError as problem:
            return str(problem)
        return files or "holds no .pp files"

    def _from_archive(self, package: Locked, inner: str) -> tuple[RawFile, ...] | str:
        opened = self._open(package)
        if not isinstance(opened, Package):
            return opened or "is not on this machine"
        sources = opened.sources(inner)
        if isinstance(sources, str):
            return sources
        names = ((f"{package.identity}/{name}", data) for name, data in sources.items())
        return tuple([RawFile(name=name, path=None, data=data) for name, data in names])

    def _open(self, package: Locked) -> Package | str | None:
        """Return the content of an archive or pack; None if it is not on this machine, a text if it is invalid."""
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
        """Return the folder on disk of a component at a path from `locate`; None inside of an archive."""
        package = self._owner(path)
        if package is None:
            return sources.root / path
        inner = _inside(package, path)
        return None if package.digest else self._project.folder / package.place / inner

    def exported(self, folder: Path) -> tuple[str, str]:
        """Return the name and version under which this project exports a folder; empty texts if it does not."""
        manifest = self._project.manifest
        for export, place in sorted(manifest.exports.items()):
            if manifest.name and manifest.version and _real(self._project.folder / place) == _real(folder):
                name = manifest.name if export == SELF else posixpath.basename(export)
                return name, manifest.version.text
        return "", ""

    def files(self) -> Iterator[Path]:
        """Yield the manifests and the lock file that determine the components."""
        yield self._project.folder / LOCK_FILE
        for package in self._packages.values():
            if package.source == "path":
                yield self._project.folder / package.place / archive.MANIFEST

    # Provider packages

    def provider_ranges(self) -> Mapping[str, tuple[str, ...]]:
        """Return the required ranges of each provider package, the project's first."""
        ranges = {name: [required.text] for name, required in self._project.manifest.providers.items()}
        for package in self._packages.values():
            for name, text in package.providers.items():
                ranges.setdefault(name, []).append(_range(text).text)
        return {name: tuple(dict.fromkeys(texts)) for name, texts in sorted(ranges.items())}

    def wrong_providers(self, used: Sequence[tuple[str, str]]) -> Iterator[Diagnostic]:
        """Yield diagnostics for `used` provider packages (names and versions) outside of a required range."""
        manifest = self._project.manifest
        for name, text in used:
            version = read_version(text)
            ranges: dict[str, Range] = {"": manifest.providers[name]} if name in manifest.providers else {}
            for package in self._packages.values():
                if name in package.providers:
                    ranges[package.name] = _range(package.providers[name])
            if version is not None and any(not required.has(version) for required in ranges.values()):
                violated = {dependent: required for dependent, required in ranges.items() if not required.has(version)}
                yield self._wrong(name, text, violated)

    def _wrong(self, name: str, version: str, ranges: Mapping[str, Range]) -> Diagnostic:
        ways = dependency_paths(self._project, self._lock) if self._lock is not None else {}
        requirements: list[tuple[str, Span]] = []
        for dependent in sorted(ranges):
            steps = ["this project", *(self._packages[step].identity for step in ways.get(dependent, ()))]
            keys = ("dependencies", ways[dependent][0]) if dependent else ("providers", name)
            span = self._project.span(*keys)
            requirements.append((f"{' → '.join(steps)} wants {name} {ranges[dependent].text}", span))
        paths = [(text, None if at == 0 else span) for at, (text, span) in enumerate(requirements)]
        return say.wrong_provider(name, version, paths, requirements[0][1])


def _inside(package: Locked, path: str) -> str:
    """Return a folder of a package from a path of `locate`."""
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
    """Return a range of the lock file; an invalid range matches no version."""
    try:
        return parse_range(text)
    except RangeError:
        return parse_range("<0.0.0")


_KNOWN: WeakKeyDictionary[SchemaStore, Dependencies | Diagnostic | None] = WeakKeyDictionary()


def dependencies_of(store: SchemaStore) -> Dependencies | Diagnostic | None:
    """Return the component packages of a store's project; None without any, a diagnostic for an invalid manifest."""
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
    keep = ArchiveCache(around.kept_in())
    hint = INSTALL
    try:
        lock = read_lock(project.folder)
        problem = out_of_date(project, lock)
    except LockError as error:
        lock, problem, hint = None, str(error), error.hint
    return Dependencies(project, lock, keep, problem=problem, hint=hint, packaging=around.packaging)
