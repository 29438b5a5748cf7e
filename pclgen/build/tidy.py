"""The caches on disk as files: how much there is, and what goes when there is too much.

Comes in: the directory of all caches.  Goes out: `Holding`s, or less files.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pclgen.records import dataclass

_KINDS = {"results": "results-*/*/*", "schemas": "schemas-*/*", "packages": "packages-*/*", "snippets": "docs/*/*"}
_TRIMMED = ("results", "snippets")
"""What is only there so that it need not be made again, and is small: the size is that of both."""
_UNFINISHED = re.compile(r"\.(tmp|\d+)")
_LEFT_OVER = 3600.0
"""Seconds after which an unfinished file belongs to nobody any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """One kind of what is kept: `results` of compilations, indexes of `schemas`, archives of `packages` of components, what
    was found out about `snippets` of docs."""

    kind: str
    files: int
    size: int


def holdings(root: Path) -> tuple[Holding, ...]:
    """What is kept in `root`."""
    return tuple(_holding(root, kind) for kind in _KINDS)


def clean(root: Path) -> tuple[Holding, ...]:
    """Remove everything; what there was."""
    there = holdings(root)
    for pattern in _KINDS.values():
        for path in root.glob(pattern):
            with suppress(OSError):
                path.unlink()
        _remove_folders(root, pattern)
    return there


def trim(root: Path, limit: int) -> None:
    """Remove results that were not used for longest until the rest has at most `limit` bytes, and what was left
    unfinished."""
    now = time.time()
    found: list[tuple[float, int, Path]] = []
    for path, size, used in (one for kind in _TRIMMED for one in _files(root, kind)):
        if _UNFINISHED.fullmatch(path.suffix) and now - used > _LEFT_OVER:
            with suppress(OSError):
                path.unlink()
        else:
            found.append((used, size, path))
    room = limit
    for _, size, path in sorted(found, reverse=True):
        room -= size
        if room < 0:
            with suppress(OSError):
                path.unlink()


def _holding(root: Path, kind: str) -> Holding:
    sizes = [size for _, size, _ in _files(root, kind)]
    return Holding(kind=kind, files=len(sizes), size=sum(sizes))


def _files(root: Path, kind: str) -> Iterator[tuple[Path, int, float]]:
    for path in root.glob(_KINDS[kind]):
        with suppress(OSError):
            found = path.stat()
            yield path, found.st_size, found.st_mtime


def _remove_folders(root: Path, pattern: str) -> None:
    while "/" in pattern:
        pattern = pattern.rpartition("/")[0]
        for folder in root.glob(pattern):
            with suppress(OSError):  # not empty: somebody writes there
                folder.rmdir()
