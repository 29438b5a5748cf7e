"""The fence around a program: the part of the file system that a program may name, regardless of its author.

The directory that a user named lies in a repository; a path is inside of that repository, links followed, or outside.
"""

from __future__ import annotations

import os
from pathlib import Path

MARKS = (".git", "pclgen.toml")


def fence_of(directory: Path) -> Path:
    """Return the nearest directory from `directory` upwards that has a `.git` or a `pclgen.toml`; itself when none has."""
    try:
        start = directory.resolve()
        return next((place for place in (start, *start.parents) if any((place / mark).exists() for mark in MARKS)), start)
    except (OSError, RuntimeError, ValueError):
        return directory


def repository_of(directory: Path) -> Path:
    """Return the nearest directory from `directory` upwards that has a `.git`; itself when none has."""
    start = Path(os.path.realpath(directory))
    return next((place for place in (start, *start.parents) if (place / ".git").exists()), start)


def is_inside(path: Path, fence: Path | None) -> bool:
    """Return whether `path` is inside of `fence` after all links are followed; without a fence everything is."""
    if fence is None:
        return True
    try:
        return path.resolve().is_relative_to(fence)
    except (OSError, RuntimeError, ValueError):
        return False
