"""The files, packages and members that a compilation reads beside its program's files, for caches of results.

During a recording, the functions that read component folders, files that a program names, packages, and members of packages
add these reads to a `ReadSet`. Recording is off by default, and covers only its own thread.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct, field


class ReadSet(Struct):
    """The recorded reads.

    - `directories`: the component folders as the program writes them, with a fingerprint of the files there.
    - `files`: the files and folders that the program names, with whether a folder is allowed.
    - `packages`: the requests for schemas; `versions`: the packages of which the compilation read all versions.
    - `members`: the kinds and tokens of members, by the number (`id`) of the schema's document.
    """

    directories: dict[str, str] = field(default_factory=dict)
    files: dict[tuple[str, bool], None] = field(default_factory=dict)
    packages: dict[Hashable, None] = field(default_factory=dict)
    versions: dict[str, None] = field(default_factory=dict)
    members: dict[int, set[tuple[str, str]]] = field(default_factory=dict)


READS: ContextVar[ReadSet | None] = ContextVar("READS", default=None)
"""The current recording; None outside of recordings."""

NAMING: ContextVar[bool] = ContextVar("NAMING", default=False)
"""Whether the current reads of members serve to name all members of a package, which happens once for all programs."""


@contextmanager
def recording() -> Iterator[ReadSet]:
    """Record the reads of the block."""
    reads = ReadSet()
    token = READS.set(reads)
    try:
        yield reads
    finally:
        READS.reset(token)


@contextmanager
def naming() -> Iterator[None]:
    """Set `NAMING` while the block runs."""
    token = NAMING.set(True)
    try:
        yield
    finally:
        NAMING.reset(token)
