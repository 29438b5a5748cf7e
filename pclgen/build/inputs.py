"""What was read for a program, as files and folders: for build tools that must know when to ask pclgen again.

Comes in: what a compilation looked at (`Needs`).  Goes out: `Inputs`.  Paths are told as from where pclgen runs: relative
where the file lies below it (or was named so), else absolute.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from pclgen.build.states import Needs
from pclgen.deps.components import Components
from pclgen.disk.journal import digest_of
from pclgen.emit.overlay import Overlay
from pclgen.records import dataclass
from pclgen.schema.discovery import Project
from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.schema.lock import LOCK
from pclgen.source.carried import DataFileError, Finder
from pclgen.source.load import LoadedProgram
from pclgen.source.project import PULUMI


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Files with the digests of their content, None for those that are not there; `folders` in which a new file, or one
    less, makes a difference."""

    files: Mapping[str, str | None] = field(default_factory=dict)
    folders: tuple[str, ...] = ()


def inputs_of(
    needs: Needs, sources: LoadedProgram, store: SchemaStore, project: Project, *, overlay: Overlay | None
) -> Inputs:
    """All that a program depends on beside pclgen itself."""
    files = [raw.path for raw in sources.files if raw.path is not None]
    files.append(sources.root / PULUMI)
    folders = [sources.root]
    components = Components(sources, store)
    files += components.files()
    for directory in needs.directories:
        found = components.read(directory)
        files += [raw.path for raw in found if raw.path is not None] if not isinstance(found, str) else []
    folders += _component_folders(needs, components)
    for path in _carried(needs, sources):
        files.append(path)
        folders.append(_existing(path.parent))
    for need in needs.packages:
        package = store.ask(need.wanted)
        if isinstance(package, FoundPackage) and package.path is not None:
            files.append(package.path)
        elif isinstance(package, FoundPackage) and os.path.isdir(package.where):
            folders.append(Path(package.where).parent)  # an SDK: another version has another folder beside it
    _surroundings(project, files, folders)
    if store.functions is not None:
        files += store.functions.files
    if store.policy is not None:
        files += store.policy.files
    if overlay is not None:
        files += [Path(overlay.folder, name) for name, _ in overlay.files]
        folders += {Path(overlay.folder, name).parent for name, _ in overlay.files}
    return Inputs(
        files={shown(path): _digest(path) for path in sorted(set(files))},
        folders=tuple(sorted({shown(folder) for folder in folders})),
    )


def _component_folders(needs: Needs, components: Components) -> list[Path]:
    """The folders on disk of the components that a program uses, or the nearest that there are."""
    folders = [components.folder(directory) for directory in needs.directories]
    return [_existing(folder) for folder in folders if folder is not None]


def folders_named(needs: Needs, sources: LoadedProgram, store: SchemaStore) -> tuple[str, ...]:
    """The folders of the components and files that a program names, or the nearest that there are."""
    components = Components(sources, store)
    places = [*_component_folders(needs, components), *(path.parent for path in components.files())]
    places += [path.parent for path in _carried(needs, sources)]
    return tuple(sorted({os.path.abspath(_existing(place)) for place in places}))


def shown(path: Path) -> str:
    """How a path is told."""
    text = os.path.normpath(path)
    if os.path.realpath(text) != os.path.realpath(path):
        text = str(path)  # `..` behind a link
    here = os.getcwd()
    if os.path.isabs(text) and (text == here or text.startswith(here + os.sep)):
        text = os.path.relpath(text, here)
    return Path(text).as_posix()


def _surroundings(project: Project, files: list[Path], folders: list[Path]) -> None:
    """The configuration, and the places in which schemas are looked for."""
    configuration = project.configuration
    if configuration.path is not None:
        files.append(configuration.path)
    if project.folder is not None and (project.folder / LOCK).exists():
        files.append(project.folder / LOCK)
    own = (project.folder,) if project.folder is not None else ()
    folders += [place for place in (*project.settings.schemas, *configuration.schemas, *own) if place.is_dir()]


def _carried(needs: Needs, sources: LoadedProgram) -> Iterable[Path]:
    """The files that a program names, also those that are not there."""
    finder = Finder(root=sources.root)
    for path, may_be_folder in needs.files:
        try:
            yield from (file.source for file in finder.find(path, may_be_folder=may_be_folder))
        except DataFileError as error:
            if error.problem == "missing":
                yield sources.root / path


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that there is."""
    return next((place for place in (folder, *folder.parents) if place.is_dir()), folder)


def _digest(path: Path) -> str | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return _digest_of(path, found.st_size, found.st_mtime_ns, found.st_ino)


@lru_cache(maxsize=4096)
def _digest_of(path: Path, size: int, changed: int, number: int) -> str | None:
    # A large schema is the same for many programs of one build.
    del size, changed, number
    return digest_of(path)
