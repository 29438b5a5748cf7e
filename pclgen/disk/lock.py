"""A lock that gives one process at a time access to a folder.

Where the system allows it, the folder itself is locked, so that no file is needed; elsewhere a file in the folder is
locked. The system releases the lock when the process ends, for any reason.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

LOCK_FILE = ".pclgen.lock"
"""The file that is locked where folders cannot be."""
PATIENCE = 60.0
"""Default time to wait for another process, in seconds."""

_POLL = 0.02
_ATTEMPTS = 100  # to lock a folder that other processes remove


class LockedError(OSError):
    """Another process held the folder for the whole waiting time."""


@contextlib.contextmanager
def locked(folder: Path, *, patience: float = PATIENCE) -> Iterator[None]:
    """Lock `folder` while the block runs. Missing folders are created, and removed again if they stay empty.

    Raises `LockedError` if another process does not release it within `patience` seconds, else `OSError`.
    """
    created: list[Path] = []
    descriptor = _acquire(folder, time.monotonic() + patience, created)
    try:
        yield
    finally:
        # Still locked: a waiting process notices that the folder is gone, and creates it again.
        for path in reversed(created):
            with contextlib.suppress(OSError):  # not empty, so it is needed
                path.rmdir()
        os.close(descriptor)


def _acquire(folder: Path, deadline: float, created: list[Path]) -> int:
    """Lock `folder`, and append the folders that this creates to `created`.

    Another process may remove the empty folder before this one locks it; then this one creates it again.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            created += _make(folder)
            descriptor = _open(folder)
        except FileNotFoundError:
            if attempt == _ATTEMPTS:  # no process removes it: some folders (`/proc/1`) cannot have new entries
                raise
            time.sleep(_POLL)
        else:
            try:
                while not _take(descriptor):
                    if time.monotonic() >= deadline:
                        raise LockedError(errno.EBUSY, "another process is writing there", str(folder))
                    time.sleep(_POLL)
                if _is_locked_folder(folder, descriptor):
                    return descriptor
            except BaseException:  # also on Ctrl-C: release the lock and propagate
                os.close(descriptor)
                raise
            os.close(descriptor)
    raise LockedError(errno.EBUSY, "other processes remove it again and again", str(folder))


def _make(folder: Path) -> list[Path]:
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    missing.reverse()
    for path in missing:
        path.mkdir(exist_ok=True)
    return missing


if sys.platform == "win32":
    import msvcrt

    def _open(folder: Path) -> int:
        return os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT)

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _is_locked_folder(folder: Path, descriptor: int) -> bool:
        return (folder / LOCK_FILE).exists()

else:
    import fcntl

    def _open(folder: Path) -> int:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _is_locked_folder(folder: Path, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.stat(folder), os.fstat(descriptor))
        except FileNotFoundError:
            return False
