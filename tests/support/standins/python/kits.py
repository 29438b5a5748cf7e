"""Stand-in SDKs ready for use: written once for given schemas, kept in the folder of the toolchains."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.support.standins.python.package import write_sdks
from tests.support.standins.python.spelling import World
from tests.support.toolchains import cache_folder, locked

_HERE = Path(__file__).parent
_READY = ".ready"


def stand_in_path(schemas: Sequence[Path], *, modern: bool = False) -> list[Path]:
    """Entries of a search path, one for each schema; a higher version stands before a lower one.

    `modern` makes what newer SDK generators make, which is less strict about optional inputs.  Raises `OSError`.
    """
    digest = hashlib.sha256(repr(modern).encode())
    for path in [*sorted(_HERE.parent.glob("*.py")), *sorted(_HERE.glob("*.py")), *sorted(schemas)]:
        digest.update(path.name.encode() + path.read_bytes())
    home = cache_folder() / f"standins-python-{digest.hexdigest()[:12]}"
    with locked("standins-python"):
        if not (home / _READY).exists():
            shutil.rmtree(home, ignore_errors=True)
            write_sdks(World(schemas, modern=modern), home)
            (home / _READY).touch()
    return sorted((path for path in home.iterdir() if path.is_dir()), key=_version, reverse=True)


def _version(entry: Path) -> tuple[int, ...]:
    release = entry.name.partition("+")[0].rpartition("-")[2] if "+" not in entry.name else entry.name.split("-")[1]
    return tuple(int(part) for part in release.split(".") if part.isdigit())
