"""The size of the caches on disk, and their cleanup."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

_KINDS = {"results": "results-*/*/*", "schemas": "schemas-*/*", "packages": "packages-*/*", "snippets": "docs/*/*"}
_TRIMMED = ("results", "snippets")
"""Caches of small files that can be recomputed; the size limit applies to both together."""
_UNFINISHED = re.compile(r"\.(tmp|\d+)")
_LEFT_OVER = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""


class CacheUsage(Struct, frozen=True, kw_only=True):
    """Files and bytes of one cache: `results` of compilations, indexes of `schemas`, archives of component `packages`, or
    results of `snippets` in docs."""

    kind: str
    files: int
    size: int


def cache_usage(root: Path) -> tuple[CacheUsage, ...]:
    """Return the usage of each cache in `root`, the directory of all caches."""
    return tuple(_usage(root, kind) for kind in _KINDS)


def clean(root: Path) -> tuple[CacheUsage, ...]:
    """Remove all caches, and return their previous usage."""
    usage = cache_usage(root)
    for pattern in _KINDS.values():
        for path in root.glob(pattern):
            with suppress(OSError):
                path.unlink()
        _remove_folders(root, pattern)
    return usage


def trim(root: Path, limit: int) -> None:
    """Remove the least recently used results until at most `limit` bytes remain, and abandoned unfinished files."""
    now = time.time()
    entries: list[tuple[float, int, Path]] = []
    for path, size, used in (file for kind in _TRIMMED for file in _files(root, kind)):
        if _UNFINISHED.fullmatch(path.suffix) and now - used > _LEFT_OVER:
            with suppress(OSError):
                path.unlink()
        else:
            entries.append((used, size, path))
    room = limit
    for _, size, path in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            with suppress(OSError):
                path.unlink()


def _usage(root: Path, kind: str) -> CacheUsage:
    sizes = [size for _, size, _ in _files(root, kind)]
    return CacheUsage(kind=kind, files=len(sizes), size=sum(sizes))


def _files(root: Path, kind: str) -> Iterator[tuple[Path, int, float]]:
    for path in root.glob(_KINDS[kind]):
        with suppress(OSError):
            status = path.stat()
            yield path, status.st_size, status.st_mtime


def _remove_folders(root: Path, pattern: str) -> None:
    while "/" in pattern:
        pattern = pattern.rpartition("/")[0]
        for folder in root.glob(pattern):
            with suppress(OSError):  # not empty: another process writes there
                folder.rmdir()
