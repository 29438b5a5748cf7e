"""The manifest of a project and its lock file, together.

Comes in: the configuration that counts for a program.  Goes out: `Project`; whether the lock file still says what the
project wants; who wants what of whom, as ways from the project to a package.
"""

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
    """The project with the configuration `path`; a diagnostic says what is wrong in what it says of packages."""
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
    """The project whose configuration `path` has this text.  Raises `ManifestError`."""
    manifest = read_manifest(text.encode("utf-8"), file=path.name)
    return Project(folder=path.parent, source=SourceFile(_shown(path), text), manifest=manifest)


def _shown(path: Path) -> str:
    return Path(os.path.relpath(path)).as_posix()


def out_of_date(project: Project, lock: Lock | None) -> str | None:
    """Why the lock file does not say what the project needs; None when it does."""
    wants = project.manifest.wants["dependencies"]
    if lock is None:
        return "there is no pclgen.lock yet" if wants else None
    if lock.wants != wants:
        return "pclgen.lock was written for other dependencies than pclgen.toml has now"
    for package in lock.packages:
        if package.source == "path" and not _is_the_same(package, _manifest_of(project.folder / package.place)):
            return f"{package.place}/{MANIFEST} says other things than pclgen.lock"
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
    """What changes with the manifests of packages in folders."""
    found = [one for one in (lock.packages if lock is not None else ()) if one.source == "path"]
    return [repr(_manifest_of(project.folder / one.place)) for one in found]


def ways(project: Project, lock: Lock) -> Mapping[str, Sequence[str]]:
    """The shortest way from the project to each package, as names, with the package itself."""
    packages = lock.by_name
    found: dict[str, Sequence[str]] = {}
    level: list[Sequence[str]] = [(name,) for name in sorted(project.manifest.dependencies)]
    while level:
        below: list[Sequence[str]] = []
        for way in level:
            if way[-1] in packages and way[-1] not in found:
                found[way[-1]] = way
                below += [(*way, name) for name in sorted(packages[way[-1]].dependencies)]
        level = below
    return found
