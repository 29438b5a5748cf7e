"""Where Go keeps what it compiled for `pclgen verify`: a build cache of our own, with a bound.

A program's package is as large as the generic code of the SDKs that it names (30 MB for one command), and Go itself throws
nothing away for five days: a day of verifying filled a disk.  So our builds do not go into the user's build cache, and what
was not used for the longest time is removed when there is too much.  A user who sets `GOCACHE` keeps it, and its size.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

LIMIT: Final = 12_000_000_000
"""Bytes that are kept, besides what was used just now: the SDKs of a large repository, compiled, are half of it."""
_IN_USE: Final = 2 * 3600.0
"""Seconds.  Go notes a use when the last one is an hour old; an entry that was used later than this may be needed by a build
that is going on."""
_BETWEEN: Final = 600.0
"""Seconds between two looks at the whole cache."""
_STAMP: Final = "pclgen-looked"


def go_settings(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables for each call of Go; the build cache is in `folder`.

    Paths are left out of what is compiled (`-trimpath`), so that a program which was compiled in another folder need not be
    compiled again.
    """
    settings = {"GOWORK": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod -trimpath"}
    if not environ.get("GOCACHE"):
        settings["GOCACHE"] = str(folder / "go-build")
    return settings


def bound(settings: Mapping[str, str], *, now: float | None = None, limit: int = LIMIT) -> int:
    """Remove what was not used for the longest time from our build cache; the bytes removed.  `now`: seconds since 1970.

    A cache of the user's is left alone, and one that was looked at a short while ago is not looked at again.
    """
    if "GOCACHE" not in settings:
        return 0
    folder = Path(settings["GOCACHE"])
    now = time.time() if now is None else now
    stamp = folder / _STAMP
    with suppress(OSError):
        if now - stamp.stat().st_mtime < _BETWEEN:
            return 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stamp.touch()
        os.utime(stamp, (now, now))
    except OSError:
        return 0
    entries = sorted(_entries(folder))
    excess = sum(size for _, size, _ in entries) - limit
    removed = 0
    for used, size, path in entries:
        if removed >= excess or now - used < _IN_USE:
            break
        with suppress(OSError):  # another process removed it
            path.unlink()
            removed += size
    return removed


def _entries(folder: Path) -> list[tuple[float, int, Path]]:
    """Last use, size and path of each file that Go keeps: folders of two hexadecimal digits hold them."""
    found = []
    for part in folder.glob("[0-9a-f][0-9a-f]"):
        with suppress(OSError), os.scandir(part) as listing:
            for entry in listing:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, Path(entry.path)))
    return found
