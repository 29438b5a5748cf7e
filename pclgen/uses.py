"""The files, packages and members that a compilation reads beside its program's files, for caches of results.

Readers note component folders, files that a program names, packages and their members during a recording, and the notes
become `Uses`. There is no recording by default, and a recording covers only its own thread.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct, field


class Uses(Struct):
    """The recorded reads.

    `directories` are component folders as the program writes them, with the result of the search; `files` are files and
    folders that the program names, with whether a folder is allowed.  `packages` are the requests for schemas, `versions`
    the packages whose versions were all requested.  `members` are kinds and tokens of members, by the number
    (`id`) of the schema's document.
    """

    directories: dict[str, str] = field(default_factory=dict)
    files: dict[tuple[str, bool], None] = field(default_factory=dict)
    packages: dict[Hashable, None] = field(default_factory=dict)
    versions: dict[str, None] = field(default_factory=dict)
    members: dict[int, set[tuple[str, str]]] = field(default_factory=dict)


USES: ContextVar[Uses | None] = ContextVar("USES", default=None)
"""The current recording; None outside of recordings."""

NAMING: ContextVar[bool] = ContextVar("NAMING", default=False)
"""Whether members are read for the names of a whole package, which are computed once for all programs."""


@contextmanager
def recording() -> Iterator[Uses]:
    """Record the reads of the block."""
    uses = Uses()
    token = USES.set(uses)
    try:
        yield uses
    finally:
        USES.reset(token)


@contextmanager
def naming() -> Iterator[None]:
    """Mark members that the block reads as read for names that all programs share."""
    token = NAMING.set(True)
    try:
        yield
    finally:
        NAMING.reset(token)
