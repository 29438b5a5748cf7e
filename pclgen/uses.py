"""What a compilation looks at, beside the files of its program: for whoever keeps results and must know when they hold.

Readers note component folders, files that a program names, packages and their members while somebody records, and the notes
become `Uses`. Nobody records by default, and a recording takes only what its own thread does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct, field


class Uses(Struct):
    """What was looked at.

    `directories` are component folders as the program writes them, with what was found there; `files` are files and folders
    that the program names, with whether a folder will do.  `packages` are the questions that schemas were asked for,
    `versions` the packages of which all versions were asked for.  `members` are kinds and tokens of members, by the number
    (`id`) of the schema's document.
    """

    directories: dict[str, str] = field(default_factory=dict)
    files: dict[tuple[str, bool], None] = field(default_factory=dict)
    packages: dict[Hashable, None] = field(default_factory=dict)
    versions: dict[str, None] = field(default_factory=dict)
    members: dict[int, set[tuple[str, str]]] = field(default_factory=dict)


USES: ContextVar[Uses | None] = ContextVar("USES", default=None)
"""Where to note what is looked at; None when nobody wants to know."""

NAMING: ContextVar[bool] = ContextVar("NAMING", default=False)
"""Whether members are read for the names of a whole package, which are worked out once for all programs."""


@contextmanager
def recording() -> Iterator[Uses]:
    """Record what is looked at while the block runs."""
    uses = Uses()
    token = USES.set(uses)
    try:
        yield uses
    finally:
        USES.reset(token)


@contextmanager
def naming() -> Iterator[None]:
    """Members that are read while the block runs are read for names that all programs share."""
    token = NAMING.set(True)
    try:
        yield
    finally:
        NAMING.reset(token)
