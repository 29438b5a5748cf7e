"""Atomic changes of folders on disk.

    locked        a folder -> held by one process at a time
    commit        new contents and deletions, in one or several folders -> all of them or none, by a journal in each
    replace_file  one cache file -> replaced atomically, without locks

A process may be killed at any moment. The next process that changes the same folder first completes or reverts the
unfinished transaction, and removes its files.

Where the system allows it, a lock holds the folder itself, so that no file is needed; elsewhere a file in the folder is
locked. The system releases the lock when the process ends, for any reason.

`commit` writes a journal to each folder, and the new contents beside their destinations. A line in the journal of the first
folder then commits the transaction, and the new contents are moved into place. After a process is killed, `held` restores
either the old or the new state of its folders.

While a transaction runs, a folder contains:

    .pclgen.tmp         the journal: the moves, and the folders of the transaction; in the coordinating folder a second line
                        marks the transaction as decided
    .pclgen.tmp.0.new   new contents, by the number of the move
    .pclgen.tmp.0.old   previous contents

An undecided transaction is reverted, a decided one is completed. Both can be interrupted at any moment and restarted,
since the location of a file shows which step was done. The journal is created first and removed last, so other temporary
files never exist without it.

Each written folder costs one temporary file to remove, and no folder: a file system such as ext4 does not reuse freed
entries for minutes, and skips all of them for each new file. (With a folder for these files, a build of 5,000 programs
spent more than half of its time there.)

Files of caches and snapshots need no journal: `replace_file` replaces one of them atomically, the last writer wins, and
cleanup of the cache removes temporary files of killed processes.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct

# -- the lock of a folder ---------------------------------------------------------------------------------------------------

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


# -- transactions -----------------------------------------------------------------------------------------------------------

class Changes(Struct, frozen=True, kw_only=True):
    """The changes of a folder: new contents by relative path, None for files to delete."""

    folder: Path
    files: Mapping[PurePosixPath, bytes | None]


@contextlib.contextmanager
def held(folders: Sequence[Path], *, patience: float = PATIENCE) -> Iterator[None]:
    """Lock `folders` while the block runs; interrupted transactions in them are completed or reverted first.

    Missing folders are created, and removed again if they stay empty. Raises `LockedError` if another process does not
    release them within `patience` seconds, else `OSError`.
    """
    roots = {real(folder) for folder in folders}
    while True:
        # Recovery of an interrupted transaction needs all of its folders.
        all_folders = roots | {other for folder in roots for other in related(folder)}
        with contextlib.ExitStack() as locks:
            for folder in sorted(all_folders):  # in a fixed order, so that processes cannot deadlock
                locks.enter_context(locked(folder, patience=patience))
            if not all(other in all_folders for folder in all_folders for other in related(folder)):
                continue
            _recover(sorted(all_folders))
            yield
            return


def commit(changes: Sequence[Changes]) -> None:
    """Make all `changes`, or none. The folders must be `held`. Raises `OSError`; then nothing has changed."""
    journals = _journals([change for change in changes if change.files])
    if not journals:
        return
    deciding = journals[0]
    try:
        for journal, change in zip(journals, (change for change in changes if change.files), strict=True):
            _stage(journal, change)
        deciding.decide()
        for journal in journals:
            journal.finish()
    except BaseException:  # also on Ctrl-C: restore everything and propagate
        deciding.undecide()
        for journal in reversed(journals):
            journal.take_back()
            journal.clear()
        raise
    for journal in reversed(journals):  # the journal of the coordinator is removed last
        journal.clear()


def recover(folder: Path) -> None:
    """Complete or revert an interrupted transaction in `folder`, as far as that is possible without waiting."""
    if os.path.lexists(folder / STAGE):
        with contextlib.suppress(OSError), held([folder], patience=0.0):
            pass


def _recover(folders: Sequence[Path]) -> None:
    journals = [(folder, read_journal(folder)) for folder in folders]
    # Computed before any move, because removing the coordinator's journal removes the decision.
    committed = [journal is not None and journal.is_decided() for _, journal in journals]
    for (_, journal), is_committed in zip(journals, committed, strict=True):
        if journal is not None and is_committed:
            journal.finish()
        elif journal is not None:
            journal.take_back()
    deciding = {journal.coordinator for _, journal in journals if journal is not None}
    for folder in sorted(folders, key=lambda folder: folder in deciding):
        clear(folder)


def _journals(changes: Sequence[Changes]) -> list[Journal]:
    transaction = os.urandom(16).hex()
    folders = tuple(real(change.folder) for change in changes)
    return [
        Journal(
            folder=folder,
            transaction=transaction,
            coordinator=folders[0],
            participants=folders if folder == folders[0] else (),
            moves=tuple(_move_of(folder, path, data) for path, data in change.files.items()),
        )
        for folder, change in zip(folders, changes, strict=True)
    ]


def _move_of(folder: Path, path: PurePosixPath, data: bytes | None) -> Move:
    return Move(path=path, old=digest_of(inside(folder, path)), new=None if data is None else digest(data))


def _stage(journal: Journal, changes: Changes) -> None:
    """Write the journal, then the new contents beside their destinations, with the permissions of the files that they
    replace."""
    journal.write()
    for number, (move, data) in enumerate(zip(journal.moves, changes.files.values(), strict=True)):
        if data is None:
            continue
        staged = journal.new(number)
        write_new(staged, data)
        if move.old is not None:  # new files keep the default permissions
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                os.chmod(staged, (journal.folder / move.path).stat().st_mode & 0o7777)


def replace_file(path: Path, data: bytes) -> None:
    """Replace the content of `path` by `data` atomically. Raises `OSError`; then the previous content remains."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:  # also on Ctrl-C: remove the partial file and propagate
        temporary.unlink(missing_ok=True)
        raise


# -- the journal ------------------------------------------------------------------------------------------------------------

STAGE = ".pclgen.tmp"
"""The journal in each folder that is being changed; names of its temporary files begin with this name."""

_DECIDED = b"decided\n"
_FORMAT = 2
_SIZE_LIMIT = 64 * 1024**2


class UnsafePathError(OSError):
    """A path leads out of its folder."""


class Move(Struct, frozen=True, kw_only=True):
    """One file: its digest before (None: it did not exist) and after (None: it is deleted)."""

    path: PurePosixPath
    old: str | None
    new: str | None


class Journal(Struct, frozen=True, kw_only=True):
    """The moves in `folder`; `coordinator` is the deciding folder, `participants` (only there) are all folders.

    `is_marked` means that the transaction is decided (in the journal of the coordinator).
    """

    folder: Path
    transaction: str
    coordinator: Path
    participants: tuple[Path, ...]
    moves: tuple[Move, ...]
    is_marked: bool = False

    @property
    def place(self) -> Path:
        """The path of the journal."""
        return self.folder / STAGE

    def new(self, number: int) -> Path:
        """Return the temporary path of the new content of a move."""
        return self.folder / f"{STAGE}.{number}.new"

    def old(self, number: int) -> Path:
        """Return the temporary path of the previous content of a move."""
        return self.folder / f"{STAGE}.{number}.old"

    def write(self) -> None:
        """Write the journal. Raises `OSError`."""
        write_new(self.place, self._text())

    def decide(self) -> None:
        """Commit the transaction. Only the coordinator decides."""
        with open(self.place, "ab", buffering=0) as file:
            file.write(_DECIDED)

    def undecide(self) -> None:
        """Revert the decision."""
        size = len(self._text())
        with suppress(FileNotFoundError):
            if self.place.stat().st_size > size:
                os.truncate(self.place, size)

    def is_decided(self) -> bool:
        """Return whether the transaction of this journal is decided."""
        deciding = read_journal(self.coordinator)
        return deciding is not None and deciding.transaction == self.transaction and deciding.is_marked

    def finish(self) -> None:
        """Make the remaining moves. Files that were changed in the meantime are kept. Raises `OSError`."""
        for number, move in enumerate(self.moves):
            target = inside(self.folder, move.path)
            if move.new is None:
                if digest_of(target) == move.old:
                    os.replace(target, self.old(number))
                    remove_empty_folders(self.folder, move.path)
            elif os.path.lexists(self.new(number)) and (not os.path.lexists(target) or digest_of(target) == move.old):
                if move.old is not None and os.path.lexists(target):
                    os.replace(target, self.old(number))
                self._place(self.new(number), move.path)

    def take_back(self) -> None:
        """Restore all files. Files that were changed in the meantime are kept. Raises `OSError`."""
        for number, move in reversed(list(enumerate(self.moves))):
            target = inside(self.folder, move.path)
            is_placed = move.new is not None and not os.path.lexists(self.new(number))
            is_ours = not os.path.lexists(target) or (is_placed and digest_of(target) == move.new)
            if os.path.lexists(self.old(number)):
                if is_ours:
                    self._place(self.old(number), move.path)
            elif move.old is None:
                if is_placed and is_ours:
                    target.unlink(missing_ok=True)
                remove_empty_folders(self.folder, move.path)

    def clear(self) -> None:
        """Remove the temporary files of the transaction. Raises `OSError`."""
        for number, move in enumerate(self.moves):
            if move.old is not None:
                self.old(number).unlink(missing_ok=True)
            if move.new is not None:
                self.new(number).unlink(missing_ok=True)
        self.place.unlink(missing_ok=True)

    def _place(self, source: Path, path: PurePosixPath) -> None:
        if len(path.parts) > 1:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, self.folder / path)

    def _text(self) -> bytes:
        document = {
            "version": _FORMAT,
            "transaction": self.transaction,
            "coordinator": _relative(self.coordinator, self.folder),
            "participants": [_relative(folder, self.folder) for folder in self.participants],
            "moves": [[str(move.path), move.old, move.new] for move in self.moves],
        }
        return json.dumps(document).encode() + b"\n"


def write_new(path: Path, data: bytes) -> None:
    """Write a new file; an existing one (such as a link that leads elsewhere) is removed. Raises `OSError`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o666)
    except FileExistsError:
        path.unlink()
        descriptor = os.open(path, flags, 0o666)
    with open(descriptor, "wb", buffering=0) as file:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]


def read_journal(folder: Path) -> Journal | None:
    """Return the journal in `folder`; None if there is none or it is incomplete."""
    path = folder / STAGE
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _SIZE_LIMIT:
            return None
        text, _, mark = path.read_bytes().partition(b"\n")
        document = json.loads(text)
        if document["version"] != _FORMAT:
            return None
        return Journal(
            folder=folder,
            transaction=str(document["transaction"]),
            coordinator=Path(os.path.normpath(folder / document["coordinator"])),
            participants=tuple(Path(os.path.normpath(folder / other)) for other in document["participants"]),
            moves=tuple(
                Move(path=PurePosixPath(path), old=_text(old), new=_text(new)) for path, old, new in document["moves"]
            ),
            is_marked=mark == _DECIDED,
        )
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def related(folder: Path) -> Iterator[Path]:
    """Yield the other folders of the interrupted transaction in `folder`, if any."""
    own = read_journal(folder)
    if own is None:
        return
    deciding = own if own.coordinator == folder else read_journal(own.coordinator)
    if deciding is None or deciding.transaction != own.transaction:
        return
    for other in (deciding.folder, *deciding.participants):
        journal = read_journal(other)
        if journal is not None and journal.transaction == own.transaction:
            yield other


def clear(folder: Path) -> None:
    """Remove the files that a transaction left in `folder`. Raises `OSError`."""
    journal = read_journal(folder)
    place = folder / STAGE
    if journal is not None:
        journal.clear()
    elif place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:  # the journal is incomplete, so no other file was written
        place.unlink(missing_ok=True)


def inside(folder: Path, path: PurePosixPath) -> Path:
    """Return the location of `path` in `folder`. Raises `UnsafePathError` if the path, or a link on it, leads out of the
    folder."""
    if not is_safe(path):
        raise UnsafePathError(errno.EPERM, "it lies outside the folder or is reserved", str(path))
    target = folder / path
    if len(path.parts) > 1 and not real(target.parent).is_relative_to(real(folder)):
        raise UnsafePathError(errno.EPERM, f"a link leads out of `{folder}`", str(target))
    return target


def is_safe(path: PurePosixPath) -> bool:
    """Return whether `path`, as a text, stays below its folder and is not a temporary file of a transaction."""
    text = str(path)
    odd = not path.parts or path.is_absolute() or ".." in path.parts or "\\" in text or "\0" in text
    return not odd and not path.parts[0].casefold().startswith(STAGE)


def real(path: Path) -> Path:
    """Return `path` with links resolved; a cycle of links is returned unchanged, and fails when it is opened."""
    return Path(os.path.realpath(path))


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(path: Path) -> str | None:
    """Return the digest of a file's content; None if it does not exist.

    Special files (devices, pipes) are never read: their digest matches no content.
    """
    try:
        return digest(path.read_bytes()) if stat.S_ISREG(path.stat().st_mode) else "not a file"
    except (FileNotFoundError, NotADirectoryError):
        return None


def remove_empty_folders(folder: Path, path: PurePosixPath) -> None:
    """Remove the empty folders on `path`."""
    for parent in path.parents:
        if parent.parts:
            with suppress(OSError):  # not empty
                (folder / parent).rmdir()


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _relative(path: Path, start: Path) -> str:
    try:
        return os.path.relpath(path, start)
    except ValueError:  # another drive
        return str(path)
