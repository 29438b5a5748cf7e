"""The manifest of a project together with its lock file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from pclgen.deps.archive import MANIFEST
from pclgen.deps.lock import Lock, Locked
from pclgen.deps.manifest import SIZE_LIMIT, Manifest, ManifestError, Project, read_manifest, span_of
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.files import read_regular
from pclgen.source.text import SourceFile

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
