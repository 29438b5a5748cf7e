"""Writing generated projects to disk, all or nothing.

Comes in: `Output` values (a folder and its files as text).  Goes out: the files, and in each folder a small `.pclgen.json`
that lists what was written with digests.  Thanks to it a second run replaces its own files, deletes those that are no
longer made, and refuses to overwrite what somebody else wrote or edited, unless it is told to (`force`).

Every file is first written beside its place under a temporary name; only when all are there are they moved into place.  If
anything fails, what was moved is moved back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

MANIFEST = ".pclgen.json"
MANIFEST_VERSION = 1


class WriteError(Exception):
    """Nothing was written; the text says why, `hint` what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Files to write: `files` maps paths relative to `folder` to their text."""

    folder: Path
    files: Mapping[PurePosixPath, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What happened in one folder: how many files belong to it, and which of them were changed or deleted."""

    folder: Path
    total: int
    changed: tuple[PurePosixPath, ...]
    deleted: tuple[PurePosixPath, ...]


def write_outputs(outputs: Sequence[Output], *, force: bool = False) -> tuple[Written, ...]:
    """Write all `outputs`, or none.  With `force`, files that pclgen did not write are overwritten too.

    Files whose content is already right are left alone.  Raises `WriteError` for an unsafe path, for a file that would
    be lost, and for anything the file system refuses.
    """
    try:
        plans = [_plan(output, force=force) for output in outputs]
        conflicts = [path for plan in plans for path in plan.conflicts]
        if conflicts:
            raise _would_be_lost(conflicts)
        _commit(plans)
    except OSError as error:
        raise WriteError(f"cannot write `{error.filename}`: {error.strerror or error}") from error
    return tuple(
        Written(folder=p.folder, total=p.total, changed=tuple(sorted(p.changed)), deleted=tuple(sorted(p.stale)))
        for p in plans
    )


def write_file(path: Path, data: bytes) -> None:
    """Replace the content of one existing file in one step, keeping its permissions.  Raises `WriteError`."""
    try:
        target = path.resolve()
        temporary = _stage(target, data)
        try:
            os.chmod(temporary, target.stat().st_mode & 0o7777)
            os.replace(temporary, target)
        except BaseException:  # also Ctrl-C: nothing half-written stays; the exception goes on
            _remove_quietly(temporary)
            raise
    except OSError as error:
        raise WriteError(f"cannot write `{path}`: {error.strerror or error}") from error


@dataclass(slots=True, kw_only=True)
class _Plan:
    """What to do in one folder, worked out before anything is touched."""

    folder: Path
    total: int
    contents: dict[PurePosixPath, bytes]
    changed: list[PurePosixPath] = field(default_factory=list)
    stale: list[PurePosixPath] = field(default_factory=list)
    conflicts: list[Path] = field(default_factory=list)


def _plan(output: Output, *, force: bool) -> _Plan:
    folder = output.folder
    if folder.exists() and not folder.is_dir():
        raise WriteError(f"`{folder}` is not a directory", "choose another place with `--out`")
    contents = {_safe(path): text.encode("utf-8") for path, text in output.files.items()}
    known = _read_manifest(folder)
    plan = _Plan(folder=folder, total=len(contents), contents=contents)
    for path, data in contents.items():
        present = _digest_of(_inside(folder, path))
        if present == _digest(data):
            continue
        if present is not None and not force and known.get(path) != present:
            plan.conflicts.append(folder / path)
        plan.changed.append(path)
    for path, digest in known.items():
        # A file that somebody edited is theirs now: it stays.
        if path not in contents and _digest_of(_inside(folder, path)) == digest:
            plan.stale.append(path)
    manifest = _manifest(contents)
    if _digest_of(folder / MANIFEST) != _digest(manifest):
        contents[PurePosixPath(MANIFEST)] = manifest
        plan.changed.append(PurePosixPath(MANIFEST))
    return plan


def _commit(plans: Iterable[_Plan]) -> None:
    """Stage all, then move all into place; undo everything when a step fails."""
    with contextlib.ExitStack() as undo:
        staged: list[tuple[Path, Path | None]] = []
        for plan in plans:
            for path in plan.changed:
                target = plan.folder / path
                _make_folder(target.parent, undo)
                temporary = _stage(target, plan.contents[path])
                undo.callback(_remove_quietly, temporary)
                staged.append((target, temporary))
            staged += [(plan.folder / path, None) for path in plan.stale]
        backups = [_swap(target, temporary, undo) for target, temporary in staged]
        undo.pop_all()
    for backup in backups:
        if backup is not None:
            _remove_quietly(backup)
    for plan in plans:
        for path in plan.stale:
            _remove_empty_folders(plan.folder, path)


def _swap(target: Path, temporary: Path | None, undo: contextlib.ExitStack) -> Path | None:
    """Move `temporary` (nothing: delete) to `target`; the old file, if any, goes to the returned backup."""
    backup: Path | None = None
    if os.path.lexists(target):
        backup = _temporary_name(target)
        os.replace(target, backup)
        undo.callback(os.replace, backup, target)
    if temporary is not None:
        os.replace(temporary, target)
        if backup is None:
            undo.callback(_remove_quietly, target)
    return backup


def _make_folder(folder: Path, undo: contextlib.ExitStack) -> None:
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        undo.callback(_remove_folder_quietly, path)


def _stage(target: Path, data: bytes) -> Path:
    """Write `data` beside `target` under a temporary name, readable as an ordinary new file would be."""
    temporary = _temporary_name(target)
    try:
        with open(temporary, "xb") as file:
            file.write(data)
    except BaseException:  # also Ctrl-C: nothing half-written stays; the exception goes on
        _remove_quietly(temporary)
        raise
    return temporary


def _temporary_name(target: Path) -> Path:
    return target.with_name(f".pclgen-{os.urandom(8).hex()}.tmp")


def _safe(path: PurePosixPath) -> PurePosixPath:
    """`path` if it stays below its folder.  Raises `WriteError` otherwise."""
    odd = not path.parts or path.is_absolute() or ".." in path.parts or "\\" in str(path) or "\0" in str(path)
    if odd or str(path) == MANIFEST:
        raise WriteError(f"will not write `{path}`: it lies outside the output folder or is reserved")
    return path


def _inside(folder: Path, path: PurePosixPath) -> Path:
    """Where `path` lies in `folder`.  Raises `WriteError` when a link leads out of the folder."""
    target = folder / path
    if not target.parent.resolve().is_relative_to(folder.resolve()):
        raise WriteError(f"will not write `{target}`: a link leads out of `{folder}`")
    if target.is_dir():
        raise WriteError(f"cannot write `{target}`: it is a directory", "remove it, or choose another `--out`")
    return target


def _would_be_lost(conflicts: Sequence[Path]) -> WriteError:
    shown = ", ".join(f"`{path}`" for path in conflicts[:3])
    more = f" and {len(conflicts) - 3} more" if len(conflicts) > 3 else ""
    return WriteError(
        f"will not overwrite {shown}{more}: not written by pclgen, or edited since",
        "write elsewhere with `--out`, or overwrite with `--force`",
    )


def _manifest(contents: Mapping[PurePosixPath, bytes]) -> bytes:
    files = {str(path): _digest(data) for path, data in sorted(contents.items())}
    document = {"format_version": MANIFEST_VERSION, "files": files}
    return (json.dumps(document, indent=2) + "\n").encode("utf-8")


def _read_manifest(folder: Path) -> dict[PurePosixPath, str]:
    """Files and digests of the last run; empty when there was none, or when the manifest is not ours to understand."""
    try:
        document = json.loads((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    if not isinstance(document, dict) or document.get("format_version") != MANIFEST_VERSION:
        return {}
    files = document.get("files")
    if not isinstance(files, dict):
        return {}
    known: dict[PurePosixPath, str] = {}
    for name, digest in files.items():
        with contextlib.suppress(WriteError):
            known[_safe(PurePosixPath(name))] = str(digest)
    return known


def _digest_of(path: Path) -> str | None:
    """Digest of the file's content; None when there is no such file."""
    try:
        return _digest(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _remove_quietly(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _remove_folder_quietly(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.rmdir()


def _remove_empty_folders(folder: Path, path: PurePosixPath) -> None:
    """Remove the folders that held a deleted file and hold nothing now."""
    for parent in path.parents:
        if parent.parts:
            _remove_folder_quietly(folder / parent)
