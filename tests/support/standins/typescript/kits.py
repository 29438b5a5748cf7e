"""Stand-in SDKs ready for use: written once for given schemas, kept in the folder of the toolchains."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.support.standins.kept import kept_path
from tests.support.standins.typescript.package import write_sdks
from tests.support.standins.typescript.spelling import World


def stand_in_path(schemas: Sequence[Path], *, modern: bool = False) -> list[Path]:
    """Folders with `node_modules`, one for each schema; a higher version stands before a lower one.

    `modern` makes what newer SDK generators make, which is less strict about optional inputs.  Raises `OSError`.
    """
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return kept_path(
        f"typescript-{modern}", [*sources, *schemas], lambda home: write_sdks(World(schemas, modern=modern), home)
    )
