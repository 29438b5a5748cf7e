"""Stand-in SDKs ready for use: written once for given schemas, kept in the folder of the toolchains."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.support.standins.kept import kept_path
from tests.support.standins.python.package import write_sdks
from tests.support.standins.python.spelling import World


def stand_in_path(schemas: Sequence[Path], *, modern: bool = False) -> list[Path]:
    """Entries of a search path, one for each schema; a higher version stands before a lower one.

    `modern` makes what newer SDK generators make, which is less strict about optional inputs.  Raises `OSError`.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return kept_path(
        f"python-{modern}", [*sources, *schemas], lambda home: write_sdks(World(schemas, modern=modern), home)
    )
