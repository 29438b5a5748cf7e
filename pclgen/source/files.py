"""The files that a program may name, and access to files whose names or locations are untrusted.

The fence is the part of the file system that a program may name, regardless of its author. The directory that a user named
lies in a repository; a path is inside of that repository, links followed, or outside.

The text behind the name of a component and the directory of the program determine a `Located`. A plugin is a folder with a
`PulumiPlugin.yaml`, whose section `components` has several components; the path of a component is the path of the file and
the name: `web/PulumiPlugin.yaml/Site`. No folder has such a path.

`open_regular` and `read_regular` follow links, and read only regular files: reading a pipe or a device could block or
continue forever. Other files and impossible file names raise `OSError`.

The files that a program names are put beside the generated files. A `DataFile` lies in the program's directory, links
followed, and is neither a device, nor a pipe, nor larger than any use; other paths raise `DataFileError`.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Literal, TypeAlias

from msgspec import Struct

# -- paths ------------------------------------------------------------------------------------------------------------------

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


# -- files ------------------------------------------------------------------------------------------------------------------

SIDE_FILE: Final = 256 << 20
"""Maximum size of a file beside a program that is read at once, in bytes: configuration, recordings."""


def open_regular(path: Path, *, most: int | None = None) -> BinaryIO:
    """Open `path` for reading; it may have at most `most` bytes.  Raises `OSError`."""
    try:
        status = os.stat(path)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if most is not None and status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return path.open("rb")


def read_regular(path: Path, *, most: int | None = None) -> bytes:
    """Return the bytes of `path`, which may have at most `most`.  Raises `OSError`."""
    with open_regular(path, most=most) as file:
        return file.read()


# -- files of a program -----------------------------------------------------------------------------------------------------

SIZE_LIMIT = 256 * 1024**2
"""Maximum total size of the files of a program, in bytes."""
COUNT_LIMIT = 10_000
"""Maximum number of files that a program may name, those in folders included."""

Problem: TypeAlias = Literal["missing", "unfit"]


class DataFileError(Exception):
    """A file that does not exist (`missing`), or that must not be copied (`unfit`); the message is the reason."""

    def __init__(self, problem: Problem, reason: str) -> None:
        super().__init__(reason)
        self.problem: Problem = problem


class DataFile(Struct, frozen=True, kw_only=True):
    """A file at a path relative to the program's directory, which is also its path in the project."""

    path: PurePosixPath
    source: Path


class Finder(Struct, kw_only=True):
    """Finds the files of one program and counts them."""

    root: Path
    count: int = 0
    size: int = 0

    def find(self, path: str, *, may_be_folder: bool) -> tuple[DataFile, ...]:
        """Return the file at `path`, or all files of the folder; none for a path of one machine.  Raises `DataFileError`."""
        if not is_relative(path):
            return ()
        place = PurePosixPath(os.path.normpath(path))
        if place.parts[:1] == ("..",):
            raise DataFileError("unfit", "it lies outside the directory of the program")
        source = self.root / place
        mode = self._mode(source)
        if stat.S_ISDIR(mode):
            if not may_be_folder:
                raise DataFileError("unfit", "it is a directory, not a file")
            return tuple([self._take(place / below, source / below) for below in self._below(source)])
        return (self._take(place, source),)

    def _mode(self, source: Path) -> int:
        try:
            inside = Path(os.path.realpath(source)).is_relative_to(os.path.realpath(self.root))
            mode = source.stat().st_mode
        except FileNotFoundError as error:
            raise DataFileError("missing", "there is no such file") from error
        except (OSError, ValueError) as error:
            raise DataFileError("missing", "it cannot be read") from error
        if not inside:
            raise DataFileError("unfit", "a link leads out of the directory of the program")
        return mode

    def _below(self, folder: Path) -> Iterator[PurePosixPath]:
        """Yield the files below a folder, sorted; links to folders are not followed."""
        for directory, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                yield PurePosixPath(Path(directory, name).relative_to(folder).as_posix())

    def _take(self, place: PurePosixPath, source: Path) -> DataFile:
        mode = self._mode(source)
        if not stat.S_ISREG(mode):
            raise DataFileError("unfit", f"`{place}` is no ordinary file")
        self.size += source.stat().st_size
        self.count += 1
        if self.size > SIZE_LIMIT or self.count > COUNT_LIMIT:
            raise DataFileError("unfit", f"there is more than {SIZE_LIMIT // 1024**2} MB or {COUNT_LIMIT:,} files to copy")
        return DataFile(path=place, source=source)


def is_relative(path: str) -> bool:
    """Return whether a path of a program is relative to the program's working directory."""
    return not PurePosixPath(path).is_absolute() and not path.startswith("~")
