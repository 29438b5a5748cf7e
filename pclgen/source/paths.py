"""Paths of programs: the fence around a program, the location of a component, and the paths of components in plugins.

The fence is the part of the file system that a program may name, regardless of its author. The directory that a user named
lies in a repository; a path is inside of that repository, links followed, or outside.

The text behind the name of a component and the directory of the program determine a `Located`. A plugin is a folder with a
`PulumiPlugin.yaml`, whose section `components` has several components; the path of a component is the path of the file and
the name: `web/PulumiPlugin.yaml/Site`. No folder has such a path.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import Final

from msgspec import Struct

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


PLUGIN: Final = "PulumiPlugin.yaml"


def plugin_of(path: str) -> tuple[str, str] | None:
    """Return the folder of a plugin and the name of the component in it, empty for the plugin itself; None for another
    path."""
    parts = path.split("/")
    if PLUGIN not in parts:
        return None
    at = parts.index(PLUGIN)
    return "/".join(parts[:at]) or ".", "/".join(parts[at + 1 :])


def folder_of(path: str) -> str:
    """Return the folder with the files of a component."""
    plugin = plugin_of(path)
    return path if plugin is None else plugin[0]


class Located(Struct, frozen=True):
    """The directory of a component: `path` identifies it, and `name` is the base of its class name.

    `hint` suggests the intended directory if there is no such directory.
    """

    path: str
    name: str
    hint: str | None = None


def located_in(directory: str, text: str) -> Located:
    """Return the component `text` of a program in `directory`, both relative to the root program."""
    path = posixpath.normpath(posixpath.join(directory, text))
    return Located(path, posixpath.basename(path))
