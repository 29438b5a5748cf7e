"""Files in one or several folders: all are changed, or none.

Comes in: `Changes`, new contents and deletions by folder.  A journal is written in each of them, and the new contents beside
their places; then the transaction is decided, by a line in the journal of the first folder; then everything is moved into
place.  A process that is killed leaves either what was, or what will be once somebody looks after it
(`pclgen.disk.journal`): `held` does, before anybody changes the folders again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

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
from pclgen.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to change in a folder: new contents by path relative to it, None for files to delete."""

    folder: Path
    files: Mapping[PurePosixPath, bytes | None]


@contextlib.contextmanager
def held(folders: Sequence[Path], *, patience: float = PATIENCE) -> Iterator[None]:
    """Have `folders` alone while the block runs, each as one whole state: what a killed process left is finished or taken
    back first.  Missing folders are made, and removed again if they stay empty.

    Raises `LockedError` when another process does not let go within `patience` seconds, else `OSError`.
    """
    wanted = {real(folder) for folder in folders}
    while True:
        # Other folders that a transaction was stopped in are needed to end it.
        known = wanted | {other for folder in wanted for other in related(folder)}
        with contextlib.ExitStack() as locks:
            for folder in sorted(known):  # in one order, so that nobody waits for somebody who waits for him
                locks.enter_context(locked(folder, patience=patience))
            if not all(other in known for folder in known for other in related(folder)):
                continue
            _recover(sorted(known))
            yield
            return


def commit(changes: Sequence[Changes]) -> None:
    """Make all `changes`, or none.  The folders must be `held`.  Raises `OSError`; then nothing has changed."""
    journals = _journals([one for one in changes if one.files])
    if not journals:
        return
    deciding = journals[0]
    try:
        for journal, one in zip(journals, (one for one in changes if one.files), strict=True):
            _stage(journal, one)
        deciding.decide()
        for journal in journals:
            journal.finish()
    except BaseException:  # also Ctrl-C: everything is put back; the exception goes on
        deciding.undecide()
        for journal in reversed(journals):
            journal.take_back()
            journal.clear()
        raise
    for journal in reversed(journals):  # the one that decides is the last to go
        journal.clear()


def recover(folder: Path) -> None:
    """Make `folder` one whole state again if a process was killed in it; as far as that can be done without waiting."""
    if os.path.lexists(folder / STAGE):
        with contextlib.suppress(OSError), held([folder], patience=0.0):
            pass


def _recover(folders: Sequence[Path]) -> None:
    journals = [(folder, read_journal(folder)) for folder in folders]
    # Decided before anything is moved: the mark goes with the folder that it lies in.
    decided = [journal is not None and journal.is_decided() for _, journal in journals]
    for (_, journal), happens in zip(journals, decided, strict=True):
        if journal is not None and happens:
            journal.finish()
        elif journal is not None:
            journal.take_back()
    deciding = {journal.coordinator for _, journal in journals if journal is not None}
    for folder in sorted(folders, key=lambda folder: folder in deciding):
        clear(folder)


def _journals(changes: Sequence[Changes]) -> list[Journal]:
    transaction = os.urandom(16).hex()
    folders = tuple(real(one.folder) for one in changes)
    return [
        Journal(
            folder=folder,
            transaction=transaction,
            coordinator=folders[0],
            participants=folders if folder == folders[0] else (),
            moves=tuple(_move_of(folder, path, data) for path, data in one.files.items()),
        )
        for folder, one in zip(folders, changes, strict=True)
    ]


def _move_of(folder: Path, path: PurePosixPath, data: bytes | None) -> Move:
    return Move(path=path, old=digest_of(inside(folder, path)), new=None if data is None else digest(data))


def _stage(journal: Journal, changes: Changes) -> None:
    """Write the journal, and then the new contents beside their places, with the permissions of what they replace."""
    journal.write()
    for number, (move, data) in enumerate(zip(journal.moves, changes.files.values(), strict=True)):
        if data is None:
            continue
        staged = journal.new(number)
        write_new(staged, data)
        if move.old is not None:  # a new file is as new files are
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                os.chmod(staged, (journal.folder / move.path).stat().st_mode & 0o7777)
