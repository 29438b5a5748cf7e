"""The files of `pclgen verify` on disk (environments, Go's build cache, results) and their size limit.

Environments share files: a file with the same content and mode is stored once, and each environment has a hard link to
it. The least recently used parts are removed first. A process locks the parts that it uses, and the system releases the
locks when the process ends, so that no part in use is removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

DEFAULT_LIMIT: Final = 4_000_000_000
"""Maximum size in bytes, not counting parts in use."""
LIST: Final = "packages.json"
"""The file of an environment that lists its packages; its mtime is that of the last use."""
BEGUN: Final = "new-"
"""Name prefix of folders that are being made or removed."""

_STORE: Final = "store"
_BUILDS: Final = "go-build"
_RESULTS: Final = "results"
_BETWEEN: Final = 600.0
"""Seconds between two checks of the limit."""
_STAMP: Final = "looked"
_BLOCK: Final = 4096
_WITHOUT_LOCKS: Final = 2 * 3600.0
"""Seconds for which a part counts as in use after its last use, where files cannot be locked."""

_LOCKS: Any = None  # files cannot be locked on Windows
with suppress(ImportError):
    _LOCKS = import_module("fcntl")


class DiskUsage(Struct, frozen=True, kw_only=True):
    """Files and bytes of one kind: `environments` (including the store of their files), `builds` of Go, `results`."""

    kind: str
    files: int
    size: int


# -- use -----------------------------------------------------------------------------------------------------------------


class _Uses:
    """The parts in use by this process, each with an open, locked file."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._runs = 0
        self._files: dict[Path, int] = {}

    def begin(self) -> None:
        with self._guard:
            self._runs += 1

    def end(self) -> None:
        """Release everything when no other run of this process continues."""
        with self._guard:
            self._runs -= 1
            if self._runs == 0:
                for descriptor in self._files.values():
                    os.close(descriptor)
                self._files.clear()

    def add(self, file: Path) -> bool:
        """Lock `file` for the rest of a run; return False if it is gone or being removed."""
        with self._guard, suppress(OSError):
            if file not in self._files:
                descriptor = os.open(file, os.O_RDONLY)
                if not _lock(descriptor, alone=False) or not _is_at(descriptor, file):
                    os.close(descriptor)
                    return False
                if self._runs == 0:  # no run would release it
                    os.close(descriptor)
                else:
                    self._files[file] = descriptor
            os.utime(file)
            return True
        return file.exists()


_USES: Final = _Uses()


def use(file: Path) -> bool:
    """Note that this process uses the part of this file; return False if it does not exist (any more)."""
    return _USES.add(file)


def use_builds(root: Path) -> None:
    """Note that this process uses Go's build cache below `root`."""
    lock = root / f"{_BUILDS}.lock"
    with suppress(OSError):
        root.mkdir(parents=True, exist_ok=True)
        lock.touch()
        _USES.add(lock)


@contextmanager
def kept_within(root: Path, limit: int | None) -> Iterator[None]:
    """Limit `root` to `limit` bytes before and after a run; None does nothing."""
    _USES.begin()
    try:
        bound(root, limit)
        yield
    finally:
        _USES.end()
        bound(root, limit)


def _lock(descriptor: int, *, alone: bool) -> bool:
    if _LOCKS is None:
        return True
    try:
        _LOCKS.flock(descriptor, (_LOCKS.LOCK_EX if alone else _LOCKS.LOCK_SH) | _LOCKS.LOCK_NB)
    except OSError:
        return False
    return True


def _is_at(descriptor: int, file: Path) -> bool:
    """Return whether the open file is still the one with this name."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), file.stat())
    return False


@contextmanager
def _alone(file: Path, used: float, now: float) -> Iterator[bool]:
    """Yield whether the part of this file is unused; it stays unused while the block runs."""
    if _LOCKS is None:
        yield now - used > _WITHOUT_LOCKS
        return
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:
        yield False
        return
    try:
        yield _lock(descriptor, alone=True)
    finally:
        os.close(descriptor)


# -- sharing files -------------------------------------------------------------------------------------------------------


def share_files(folder: Path, root: Path) -> None:
    """Replace the files below `folder` by hard links to files of the same content and mode in the store of `root`.

    A file that cannot be linked is left unchanged.
    """
    for path, status in _files(folder):
        if status.st_size == 0 or status.st_nlink > 1:
            continue
        with suppress(OSError):
            with path.open("rb") as data:
                digest = hashlib.file_digest(data, "blake2b").hexdigest()[:40]
            stored = root / _STORE / digest[:2] / f"{digest[2:]}-{stat.S_IMODE(status.st_mode):o}"
            _share(path, stored)


def _share(path: Path, stored: Path) -> None:
    try:
        scratch = path.with_name(f".{stored.name}.new")
        os.link(stored, scratch)
    except FileNotFoundError:
        stored.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, stored)
        return
    try:
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


# -- the bound -----------------------------------------------------------------------------------------------------------


class _Part(Struct, frozen=True, kw_only=True):
    """A unit of removal: an environment, or one file. The lock of the file `guard` shows whether it is in use."""

    used: float
    path: Path
    guard: Path
    inodes: Mapping[int, int]


def bound(root: Path, limit: int | None, *, now: float | None = None) -> int:
    """Remove the least recently used parts until at most `limit` bytes are left; return the number of bytes removed.

    Parts in use are kept. `now` is in seconds since 1970. Nothing happens shortly after the last check of `root`.
    """
    now = time.time() if now is None else now
    if limit is None or not root.is_dir() or not _is_due(root / _STAMP, now):
        return 0
    parts = sorted(_parts(root), key=lambda part: (part.used, str(part.path)))
    links: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for part in parts:
        for inode, size in part.inodes.items():
            links[inode] = links.get(inode, 0) + 1
            sizes[inode] = size
    excess, removed = sum(sizes.values()) - limit, 0
    for part in parts:
        if removed >= excess:
            break
        if _remove(part, root, now):
            for inode in part.inodes:
                links[inode] -= 1
                removed += sizes[inode] if links[inode] == 0 else 0
    _sweep(root)
    return removed


def _is_due(stamp: Path, now: float) -> bool:
    try:
        if stamp.exists() and 0 <= now - stamp.stat().st_mtime < _BETWEEN:
            return False
        stamp.touch()
        os.utime(stamp, (now, now))
    except OSError:
        return False
    return True


def _parts(root: Path) -> Iterator[_Part]:
    for listed in root.glob(f"*/{LIST}"):
        if not listed.parent.name.startswith(BEGUN):
            with suppress(OSError):
                inodes = {status.st_ino: _size(status) for _, status in _files(listed.parent)}
                yield _Part(used=listed.stat().st_mtime, path=listed.parent, guard=listed, inodes=inodes)
    for folder, guard in ((_BUILDS, root / f"{_BUILDS}.lock"), (_RESULTS, root)):
        for path, status in _files(root / folder):
            if path.parent.parent.name == folder:  # files of Go itself are not in a folder of two digits
                yield _Part(used=status.st_mtime, path=path, guard=guard, inodes={status.st_ino: _size(status)})


def _remove(part: _Part, root: Path, now: float) -> bool:
    with _alone(part.guard, part.used, now) as nobody_uses_it, suppress(OSError):
        if not nobody_uses_it:
            return False
        if part.path.is_dir():
            dead = Path(tempfile.mkdtemp(prefix=BEGUN, dir=root))
            part.path.rename(dead / part.path.name)
            shutil.rmtree(dead, ignore_errors=True)
        else:
            part.path.unlink()
        return True
    return False


def _sweep(root: Path) -> None:
    """Remove the files of the store that no environment links to."""
    for path, status in _files(root / _STORE):
        if status.st_nlink == 1:
            with suppress(OSError):
                path.unlink()


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files below a folder, without links."""
    waiting = [folder]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as listing:
            for entry in listing:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    elif entry.is_file(follow_symlinks=False):
                        yield Path(entry.path), entry.stat(follow_symlinks=False)


def _size(status: os.stat_result) -> int:
    """Return the size of a file on disk in bytes, in whole blocks.

    The system's own count is incomplete until the file's data has reached the disk.
    """
    return -(-status.st_size // _BLOCK) * _BLOCK


# -- the user's view -----------------------------------------------------------------------------------------------------

_KINDS: Final[Mapping[str, Callable[[str], bool]]] = {
    "environments": lambda name: name not in (_BUILDS, _RESULTS),
    "builds": lambda name: name == _BUILDS,
    "results": lambda name: name == _RESULTS,
}


def disk_usage(root: Path) -> tuple[DiskUsage, ...]:
    """Return the usage below `root`; a file with several links counts once."""
    inode_sizes: dict[str, dict[int, int]] = {kind: {} for kind in _KINDS}
    for path, status in _files(root):
        name = path.relative_to(root).parts[0]
        kind = next(kind for kind, holds in _KINDS.items() if holds(name))
        inode_sizes[kind][status.st_ino] = _size(status)
    return tuple(DiskUsage(kind=kind, files=len(sizes), size=sum(sizes.values())) for kind, sizes in inode_sizes.items())


def clean(root: Path) -> tuple[DiskUsage, ...]:
    """Remove everything that is not in use; return the usage before."""
    usage = disk_usage(root)
    for part in _parts(root) if root.is_dir() else ():
        _remove(part, root, time.time())
    _sweep(root)
    return usage
