"""Updates of the lock file and of the archives on this machine.

The lock file and the manifest are written as one transaction, and only if resolution succeeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from pclgen.deps.catalog import Catalog, CatalogError
from pclgen.deps.lock import Lock, Locked, LockError, lock_bytes, read_lock
from pclgen.deps.manifest import Project
from pclgen.deps.program import INSTALL, out_of_date
from pclgen.diagnostics import dependencies as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.disk import Changes, commit, held
from pclgen.errors import UserError
from pclgen.schema.config import LOCK_FILE
from pclgen.source.files import read_regular


class WriteFailedError(UserError):
    """The lock file could not be written; the text gives the reason."""


class UpdateResult(Struct, frozen=True, kw_only=True):
    """The chosen and the previous packages, and whether a file changed."""

    packages: Sequence[Locked]
    before: Mapping[str, Locked]
    changed: bool


def locked_before(project: Project, *, forgiving: bool = False) -> Lock | Diagnostic | None:
    """Return the lock file of a project; if it is unusable, a diagnostic, or None with `forgiving`."""
    try:
        return read_lock(project.folder)
    except LockError as error:
        return None if forgiving else say.not_locked(str(error), None, error.hint)


def install(project: Project, catalog: Catalog, *, locked: bool = False) -> UpdateResult | Diagnostic:
    """Download all packages of the lock file, which is first brought up to date with minimal changes.

    With `locked`, an outdated lock file is an error.
    """
    lock = locked_before(project)
    if isinstance(lock, Diagnostic):
        return lock
    reason = out_of_date(project, lock)
    if reason is not None and locked:
        hint = f"{INSTALL} without `--locked`, and commit the lock file"
        return say.not_locked(reason, project.span("dependencies"), hint)
    if reason is not None or lock is None:
        return update(project, catalog, updated=())
    for package in lock.packages:
        try:
            manifest = catalog.manifest(package)
        except CatalogError as error:
            make = say.wrong_digest if error.is_digest else say.unusable
            return make(str(error), "", None, error.hint)
        if package.digest and (dict(manifest.wants), dict(manifest.exports)) != (dict(package.wants), package.exports):
            return say.unusable(f"{LOCK_FILE} says other things of {package.identity} than its own manifest", "", None, None)
    return UpdateResult(packages=lock.packages, before=lock.by_name, changed=False)


def update(
    project: Project,
    catalog: Catalog,
    *,
    updated: Collection[str] | None,
    manifest: bytes | None = None,
    path: Path | None = None,
) -> UpdateResult | Diagnostic:
    """Resolve again: packages in `updated` (None: all) get their newest fitting version, others change only if they must.

    `manifest` is written to `path`, the configuration.
    """
    lock = locked_before(project, forgiving=updated is None)
    if isinstance(lock, Diagnostic):
        return lock
    locked = lock.by_name if lock is not None else {}
    from pclgen.deps.resolve import resolve

    chosen = resolve(project, catalog, locked=locked, updated=updated)
    if isinstance(chosen, Diagnostic):
        return chosen
    files: dict[PurePosixPath, bytes | None] = {}
    if chosen or lock is not None:
        files[PurePosixPath(LOCK_FILE)] = lock_bytes(project.manifest.wants["dependencies"], chosen)
    if manifest is not None and path is not None:
        files[PurePosixPath(path.name)] = manifest
    return UpdateResult(packages=chosen, before=locked, changed=_write(project.folder, files))


def _write(folder: Path, files: Mapping[PurePosixPath, bytes | None]) -> bool:
    """Write the files that differ, and return whether any did."""
    try:
        with held([folder]):
            new = {path: data for path, data in files.items() if _content(folder / path) != data}
            commit([Changes(folder=folder, files=new)])
    except OSError as error:
        raise WriteFailedError(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from error
    return bool(new)


def _content(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
