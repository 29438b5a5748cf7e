"""Publishing: a package as one file, and an index with an entry for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from pclgen.deps.archive import MANIFEST, SIZE_LIMIT, SUFFIX, ArchiveError, digest_of, sources_of, write_archive
from pclgen.deps.catalog import INDEX, INDEX_LIMIT, Entry, IndexFile, read_index
from pclgen.deps.manifest import SELF, Manifest, Obstacle, Project
from pclgen.deps.opened import open_package
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.disk import Changes, commit, held
from pclgen.schema.ranges import read_version
from pclgen.semver import Version
from pclgen.source.files import read_regular
from pclgen.source.load import PACK_SUFFIX


class PublishError(Exception):
    """Nothing was written; the text gives the reason."""


class Packed(Struct, frozen=True, kw_only=True):
    """A package as one file."""

    name: str
    version: str
    file: str
    data: bytes
    files: tuple[str, ...]
    manifest: Manifest

    @property
    def digest(self) -> str:
        """The digest in manifests and lock files."""
        return digest_of(self.data)


def pack(project: Project) -> Packed | Diagnostic:
    """Return the package in the folder of a project as one file, or a diagnostic if it cannot be published."""
    manifest = project.manifest
    if manifest.name is None or manifest.version is None:
        span = project.span()
        return say.bad_entry("nothing says what the package is called", span, "add [package] with its name and version")
    for dependency in manifest.dependencies.values():
        if dependency.obstacle is not None:
            reason, replacement = _REASONS[dependency.obstacle]
            span = project.span("dependencies", dependency.name)
            return say.bad_entry(f"`{dependency.name}` {reason}", span, replacement)
    try:
        files = sources_of(project.folder)
        data = write_archive(files)
    except (ArchiveError, ValueError) as error:
        return say.unusable(f"the package cannot be written as one file: {error}", "", None, None)
    except OSError as error:
        return say.unusable(f"{error.filename} cannot be read: {error.strerror or error}", "", None, None)
    if MANIFEST not in files or len(data) > SIZE_LIMIT:
        reason = f"it has no {MANIFEST}" if MANIFEST not in files else f"it has more than {SIZE_LIMIT >> 20} MB"
        return say.unusable(f"the package cannot be written as one file: {reason}", "", None, None)
    for folder in manifest.exports.values():
        if not any(str(PurePosixPath(name).parent) == folder for name in files if name.endswith(".pp")):
            shown = "the folder of the package" if folder == SELF else f"`{folder}`"
            hint = "`exports` of [package] names folders that have .pp files"
            return say.bad_entry(f"{shown} is exported and holds no .pp files", project.span("package", "exports"), hint)
    return _packed(manifest, data, files, SUFFIX)


def published(path: Path) -> Packed | Diagnostic:
    """Return the package in a pack or archive, as an index lists it."""
    try:
        data = read_regular(path, most=SIZE_LIMIT)
        opened = open_package(data)
    except OSError as error:
        return say.unusable(f"{path} cannot be read: {error.strerror or error}", "", None, None)
    except ArchiveError as error:
        return say.unusable(f"{path}: {error}", "", None, error.hint)
    return _packed(opened.manifest, data, opened.files, SUFFIX if opened.uses is None else PACK_SUFFIX)


def _packed(manifest: Manifest, data: bytes, files: Iterable[str], suffix: str) -> Packed:
    assert manifest.name is not None and manifest.version is not None
    version = manifest.version.text
    return Packed(
        name=manifest.name,
        version=version,
        file=f"{manifest.name}-{version}{suffix}",
        data=data,
        files=tuple(sorted(files)),
        manifest=manifest,
    )


_REASONS: Mapping[Obstacle, tuple[str, str]] = {
    Obstacle.FOLDER: ("is a folder of this machine", "give it a `version`, too: that is what others get"),
    Obstacle.UNPINNED: ("has an address and no digest", "add its digest: an address may give something else tomorrow"),
}
"""Obstacles to publishing, in messages, each with the help."""


def write_to(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all of `files` to `folder`. Raises `PublishError`."""
    try:
        with held([folder]):
            commit([Changes(folder=folder, files={PurePosixPath(name): data for name, data in files.items()})])
    except OSError as error:
        raise PublishError(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from error


def _by_version(entry: Entry) -> tuple[bool, Version | str]:
    version = read_version(entry.version)
    return (True, version) if version is not None else (False, entry.version)


def publish(packed: Packed, folder: Path) -> bool:
    """Add a package to the index in `folder`, which is created if necessary; return False if it is already published.

    Raises `PublishError`, also if the same version exists with other content.
    """
    try:
        published = read_index(read_regular(folder / INDEX, most=INDEX_LIMIT)).packages
    except FileNotFoundError:
        published = {}
    except (OSError, ValueError) as error:
        raise PublishError(f"the index {folder}: {error}") from error
    wants = packed.manifest.dependencies
    by_url = [name for name in wants if wants[name].url or (wants[name].digest and not wants[name].path)]
    if by_url:
        raise PublishError(f"`{by_url[0]}` is not named by a range, as the packages of an index name others")
    entries_before = published.get(packed.name, [])
    existing = next((entry for entry in entries_before if entry.version == packed.version), None)
    if existing is not None and existing.digest == packed.digest:
        return False
    if existing is not None:
        raise PublishError(f"{packed.name}@{packed.version} is in the index already, with other content")
    new_entry = Entry(
        version=packed.version,
        file=packed.file,
        digest=packed.digest,
        dependencies={name: wants[name].range.text for name in sorted(wants)},
        providers={name: packed.manifest.providers[name].text for name in sorted(packed.manifest.providers)},
    )
    entries = sorted([*entries_before, new_entry], key=_by_version)
    index = IndexFile(format=1, packages=dict(sorted({**published, packed.name: entries}.items())))
    text = msgspec.json.format(msgspec.json.encode(index), indent=2) + b"\n"
    write_to(folder, {packed.file: packed.data, INDEX: text})
    return True
