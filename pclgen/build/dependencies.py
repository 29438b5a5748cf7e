"""What a compilation read: its dependencies besides the sources, their fingerprint, and the list of files for build tools.

The fingerprint is equal as long as a compilation would read the same data: component folders count by their files, named
files by their existence, packages by the relevant parts of their schemas. These are the header, the names of all members
(SDK names depend on them), and the requested members with everything that they refer to. A schema recovered from an
installed SDK counts completely, by the version of the SDK.

Build tools read the list of files and folders in order to decide when to run pclgen again. Paths are relative to the working
directory if the file is below it (or was named relatively), else absolute.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct, field

from pclgen.deps.components import Components
from pclgen.disk import digest_of
from pclgen.emit.overlay import Overlay
from pclgen.reads import ReadSet
from pclgen.schema.discovery import LOCK, ProjectContext
from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, NotFound
from pclgen.schema.grammar import methods_of, references_in
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.sources import Requirement
from pclgen.source.files import DataFileError, Finder
from pclgen.source.load import LoadedProgram, component_state
from pclgen.source.project import PULUMI

_WHOLE = "sha256:"
"""Prefix of the identity of an original schema, as opposed to a recovered one."""


class PackageDependency(msgspec.Struct, frozen=True):
    """A requested package, with kinds and tokens of the relevant members."""

    requirement: Requirement
    members: list[tuple[str, str]]


class Dependencies(msgspec.Struct, frozen=True):
    """The dependencies of a compilation in stored form."""

    directories: list[str]
    files: list[tuple[str, bool]]
    packages: list[PackageDependency]
    versions: list[str]


def dependencies_of(reads: ReadSet, store: SchemaStore) -> Dependencies:
    """Return the recorded `reads` in stored form."""
    packages: list[PackageDependency] = []
    for requirement in reads.packages:
        assert isinstance(requirement, Requirement)
        result = store.ask(requirement)
        document = result.document if isinstance(result, FoundPackage) else None
        members = reads.members.get(id(document), set()) | (document.naming if document is not None else set())
        packages.append(PackageDependency(requirement=requirement, members=sorted(members)))
    return Dependencies(
        directories=sorted(reads.directories),
        files=list(reads.files),
        packages=sorted(packages, key=lambda need: repr(need.requirement)),
        versions=sorted(reads.versions),
    )


def fingerprint_of(
    dependencies: Dependencies, sources: LoadedProgram, store: SchemaStore, seen: Mapping[str, str] | None = None
) -> str:
    """Return the present fingerprint of `dependencies`; `seen` holds the states of folders at the time of reading."""
    components = Components(sources, store)
    parts: list[object] = [
        [(seen or {}).get(name) or component_state(components.read(name)) for name in dependencies.directories],
        _files_fingerprint(dependencies, sources),
        [_package_fingerprint(need, store) for need in dependencies.packages],
        [list(store.versions(name)) for name in dependencies.versions],
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _files_fingerprint(dependencies: Dependencies, sources: LoadedProgram) -> list[object]:
    finder = Finder(root=sources.root)
    states: list[object] = []
    for path, may_be_folder in dependencies.files:
        try:
            states.append([str(file.path) for file in finder.find(path, may_be_folder=may_be_folder)])
        except DataFileError as error:
            states.append(f"{error.problem}: {error}")
    return states


def _package_fingerprint(need: PackageDependency, store: SchemaStore) -> str:
    result = store.ask(need.requirement)
    match result:
        case FoundPackage():
            return _schema_fingerprint(result, need.members, store)
        case NotFound() | BadSchema():
            return repr(result)


def _schema_fingerprint(package: FoundPackage, members: Iterable[tuple[str, str]], store: SchemaStore) -> str:
    document = package.document
    if not document.identity.startswith(_WHOLE):
        return f"{document.identity} {_digest(msgspec.json.encode(document.header))}"
    pieces = {"head": _digest(msgspec.json.encode(document.header)), "names": _names(document)}
    waiting = [*members, ("provider", "")]
    while waiting:
        kind, token = waiting.pop()
        if f"{kind} {token}" in pieces:
            continue
        member = package.package.written.member(kind, token) if package.package.written is not None else None
        if member is None:
            # Former names are part of other members, so a lookup of an unknown name depends on all of them.
            pieces[f"{kind} {token}"] = document.identity
            continue
        pieces[f"{kind} {token}"] = _digest(member[1])
        waiting += _referred(member[1], kind, pieces, store)
    return msgspec.json.encode(sorted(pieces.items())).decode()


def _referred(raw: bytes, kind: str, pieces: dict[str, str], store: SchemaStore) -> list[tuple[str, str]]:
    """Return the members that a member refers to. Other referenced schemas are added to `pieces` completely."""
    references: list[tuple[str, str]] = [("functions", token) for token in methods_of(raw, kind)]
    for reference in references_in(raw):
        if reference.package:
            for version in (None, reference.version or None):
                pieces[f"other {reference.package} {version}"] = _whole(reference.package, version, store)
        else:
            references.append((reference.kind.value, reference.token))
    return references


def _whole(name: str, version: str | None, store: SchemaStore) -> str:
    result = store.find(name, version)
    if not isinstance(result, FoundPackage):
        return repr(result)
    return f"{result.document.identity} {_digest(msgspec.json.encode(result.document.header))}"


def _names(document: Document) -> str:
    members = document.members
    return _digest(msgspec.json.encode([list(members.resources), list(members.types), list(members.functions)]))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# -- files and folders for build tools --------------------------------------------------------------------------------------

class Inputs(Struct, frozen=True, kw_only=True):
    """Digests of files by path, None for missing files; `folders` whose added or removed files affect the result."""

    files: Mapping[str, str | None] = field(default_factory=dict)
    folders: tuple[str, ...] = ()


def inputs_of(
    dependencies: Dependencies,
    sources: LoadedProgram,
    store: SchemaStore,
    project: ProjectContext,
    *,
    overlay: Overlay | None
) -> Inputs:
    """Return everything that a program depends on except pclgen itself."""
    files = [raw.path for raw in sources.files if raw.path is not None]
    files.append(sources.root / PULUMI)
    folders = [sources.root]
    components = Components(sources, store)
    files += components.files()
    for directory in dependencies.directories:
        component = components.read(directory)
        files += [raw.path for raw in component if raw.path is not None] if not isinstance(component, str) else []
    folders += _component_folders(dependencies, components)
    for path in _carried(dependencies, sources):
        files.append(path)
        folders.append(_existing(path.parent))
    for dependency in dependencies.packages:
        package = store.ask(dependency.requirement)
        if isinstance(package, FoundPackage) and package.path is not None:
            files.append(package.path)
        elif isinstance(package, FoundPackage) and os.path.isdir(package.where):
            folders.append(Path(package.where).parent)  # an SDK: other versions are in sibling folders
    _surroundings(project, files, folders)
    if store.functions is not None:
        files += store.functions.files
    if store.policy is not None:
        files += store.policy.files
    if overlay is not None:
        files += [Path(overlay.folder, name) for name, _ in overlay.files]
        folders += {Path(overlay.folder, name).parent for name, _ in overlay.files}
    return Inputs(
        files={display_path(path): _digest_now(path) for path in sorted(set(files))},
        folders=tuple(sorted({display_path(folder) for folder in folders})),
    )


def _component_folders(dependencies: Dependencies, components: Components) -> list[Path]:
    """Return the folders of the components that a program uses, or their nearest existing parents."""
    folders = [components.folder(directory) for directory in dependencies.directories]
    return [_existing(folder) for folder in folders if folder is not None]


def folders_named(dependencies: Dependencies, sources: LoadedProgram, store: SchemaStore) -> tuple[str, ...]:
    """Return the folders of components and files that a program names, or their nearest existing parents."""
    components = Components(sources, store)
    places = [*_component_folders(dependencies, components), *(path.parent for path in components.files())]
    places += [path.parent for path in _carried(dependencies, sources)]
    return tuple(sorted({os.path.abspath(_existing(place)) for place in places}))


def display_path(path: Path) -> str:
    """Return a path as displayed."""
    text = os.path.normpath(path)
    if os.path.realpath(text) != os.path.realpath(path):
        text = str(path)  # `..` after a link
    here = os.getcwd()
    if os.path.isabs(text) and (text == here or text.startswith(here + os.sep)):
        text = os.path.relpath(text, here)
    return Path(text).as_posix()


def _surroundings(project: ProjectContext, files: list[Path], folders: list[Path]) -> None:
    """Add the configuration, and the folders that the schema search covers."""
    configuration = project.configuration
    if configuration.path is not None:
        files.append(configuration.path)
    if project.folder is not None and (project.folder / LOCK).exists():
        files.append(project.folder / LOCK)
    own = (project.folder,) if project.folder is not None else ()
    folders += [place for place in (*project.settings.schemas, *configuration.schemas, *own) if place.is_dir()]


def _carried(dependencies: Dependencies, sources: LoadedProgram) -> Iterable[Path]:
    """Yield the files that a program names, including missing ones."""
    finder = Finder(root=sources.root)
    for path, may_be_folder in dependencies.files:
        try:
            yield from (file.source for file in finder.find(path, may_be_folder=may_be_folder))
        except DataFileError as error:
            if error.problem == "missing":
                yield sources.root / path


def _existing(folder: Path) -> Path:
    """Return the folder, or its nearest existing parent."""
    return next((place for place in (folder, *folder.parents) if place.is_dir()), folder)


def _digest_now(path: Path) -> str | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _digest_of(path, status.st_size, status.st_mtime_ns, status.st_ino)


@lru_cache(maxsize=4096)
def _digest_of(path: Path, size: int, changed: int, number: int) -> str | None:
    # Programs of one build share large schemas.
    del size, changed, number
    return digest_of(path)
