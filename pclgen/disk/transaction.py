"""Transactions on files in one or several folders: all files are changed, or none.

`commit` writes a journal to each folder, and the new contents beside their destinations. A line in the journal of the first
folder then commits the transaction, and the new contents are moved into place. After a process is killed, `held` restores
either the old or the new state of its folders (`pclgen.disk.journal`).

Files of caches and snapshots need no journal: `replace_file` replaces one of them atomically, the last writer wins, and
cleanup of the cache removes temporary files of killed processes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from pclgen.disk.journal import (
    STAGE,
    Journal,
    Move,
    clear,
    digest,
    digest_of,
    inside,
    read_journal,
    real,
    related,
    write_new,
)
from pclgen.disk.lock import PATIENCE, locked


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
