"""Access to files whose names or locations are untrusted.

These functions follow links, and read only regular files: reading a pipe or a device could block or continue forever. Other
files and impossible file names raise `OSError`.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

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
