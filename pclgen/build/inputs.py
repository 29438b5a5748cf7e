"""Files and folders that a compilation read, for build tools that decide when to run pclgen again.

Paths are relative to the working directory if the file is below it (or was named relatively), else absolute.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct, field

from pclgen.build.dependencies import Dependencies
from pclgen.deps.components import Components
from pclgen.disk.journal import digest_of
from pclgen.emit.overlay import Overlay
from pclgen.schema.discovery import ProjectContext
from pclgen.schema.load import SchemaStore
from pclgen.schema.lock import LOCK
from pclgen.schema.package import FoundPackage
from pclgen.source.carried import DataFileError, Finder
from pclgen.source.load import LoadedProgram
from pclgen.source.project import PULUMI


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
        files={display_path(path): _digest(path) for path in sorted(set(files))},
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


def _digest(path: Path) -> str | None:
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
