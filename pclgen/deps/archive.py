"""A package as one file: `.tar.gz` with the manifest and the sources.

Comes in: bytes of strangers, or a folder.  Goes out: the files by path, or `ArchiveError`; the bytes of an archive, which
are the same for the same files.  An archive is read in memory and nothing of it is ever unpacked, so that no name in it can
lead anywhere.
"""

from __future__ import annotations

import io
import os
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pclgen.source.fence import is_inside
from pclgen.source.files import read_regular

MANIFEST = "pclgen.toml"
SUFFIX = ".tar.gz"
SIZE_LIMIT = 32 << 20
"""Bytes that an archive may have."""
UNPACKED_LIMIT = 128 << 20
"""Bytes that all files of an archive may have together."""
COUNT_LIMIT = 10_000
"""Files that an archive may have."""
_LONGEST_NAME = 1024
_KEPT = ("README.md", "LICENSE", "LICENCE", "CHANGELOG.md")
_SKIPPED = frozenset({"node_modules", "__pycache__", "venv"})


class ArchiveError(Exception):
    """A file that is no archive of a package, or that is not to be trusted; the text says why, `hint` what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def read_archive(data: bytes) -> Mapping[str, bytes]:
    """The files of an archive, by path.  Raises `ArchiveError`."""
    if len(data) > SIZE_LIMIT:
        raise ArchiveError(f"it has more than {SIZE_LIMIT >> 20} MB")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(data, UNPACKED_LIMIT)
        more = unpacker.unconsumed_tail
    except zlib.error as error:
        raise ArchiveError("it is not a .tar.gz archive, or damaged") from error
    if more:
        raise ArchiveError(f"unpacked, it has more than {UNPACKED_LIMIT >> 20} MB")
    if not unpacker.eof or unpacker.unused_data:
        raise ArchiveError("it is cut off, or something stands behind its end")
    try:
        return _files(plain)
    except (tarfile.TarError, ValueError, OverflowError, RecursionError, EOFError, OSError) as error:
        raise ArchiveError("it is not a .tar.gz archive, or damaged") from error


def _files(plain: bytes) -> Mapping[str, bytes]:
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for count, member in enumerate(archive, start=1):
            if count > COUNT_LIMIT:
                raise ArchiveError(f"it has more than {COUNT_LIMIT:,} files")
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise ArchiveError(f"`{member.name[:80]}` in it is no ordinary file")
            name = _checked(member.name)
            if name in found:
                raise ArchiveError(f"`{name}` is in it twice")
            opened = archive.extractfile(member)
            content = opened.read() if opened is not None else b""
            if len(content) != member.size:
                raise ArchiveError("it is cut off")
            found[name] = content
    return found


def _checked(name: str) -> str:
    """A path of an archive, written as we write paths.  Raises `ArchiveError` for one that leads elsewhere."""
    if problem := path_problem(name):
        raise ArchiveError(f"`{name[:80]}` in it {problem}")
    return str(PurePosixPath(name))


def path_problem(name: str) -> str | None:
    """Why `name` is no path of a file inside a package; None when it is one."""
    if len(name) > _LONGEST_NAME or not name.isprintable():
        return "is no name of a file"
    if "\\" in name or ":" in name or PurePosixPath(name).is_absolute() or ".." in name.split("/"):
        return "leads out of the package"
    return None if PurePosixPath(name).parts else "is no name of a file"


def sources_of(folder: Path) -> Mapping[str, bytes]:
    """The files of the package in `folder` that travel with it: manifest, `.pp` files, what tells people about it.

    Raises `OSError` and `ArchiveError`.
    """
    found: dict[str, bytes] = {}
    fence = folder.resolve()
    size = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        top = Path(place) == folder
        for name in sorted(names):
            if not (name.endswith(".pp") or (top and name in (MANIFEST, *_KEPT))):
                continue
            path = Path(place, name)
            inner = path.relative_to(folder).as_posix()
            if problem := path_problem(inner):
                raise ArchiveError(f"`{inner}` {problem}")
            if not is_inside(path, fence):
                raise ArchiveError(f"`{inner}` is a link that leads out of the package")
            found[inner] = read_regular(path, most=UNPACKED_LIMIT)
            size += len(found[inner])
            if size > UNPACKED_LIMIT or len(found) > COUNT_LIMIT:
                raise ArchiveError(f"the package has more than {UNPACKED_LIMIT >> 20} MB or {COUNT_LIMIT:,} files")
    return found


def write_archive(files: Mapping[str, bytes]) -> bytes:
    """The archive of `files`: equal bytes for equal files."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(files[name]))
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(plain.getvalue()) + packer.flush()
