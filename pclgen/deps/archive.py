"""Packages as `.tar.gz` archives of the manifest and sources, and the cache of archives on this machine.

Archives are untrusted: they are read in memory and never unpacked, so file names in them cannot lead anywhere. The same
files yield the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pclgen.disk import replace_file
from pclgen.errors import UserError
from pclgen.source.files import is_inside, read_regular

CACHE_FOLDER = "packages-1"
MANIFEST = "pclgen.toml"
SUFFIX = ".tar.gz"
SIZE_LIMIT = 32 << 20
"""Maximum size of an archive in bytes."""
UNPACKED_LIMIT = 128 << 20
"""Maximum total size of the files of an archive in bytes."""
COUNT_LIMIT = 10_000
"""Maximum number of files in an archive."""
_LONGEST_NAME = 1024
_KEPT = ("README.md", "LICENSE", "LICENCE", "CHANGELOG.md")
_SKIPPED = frozenset({"node_modules", "__pycache__", "venv"})


class ArchiveError(UserError):
    """An invalid or unsafe archive; the text gives the reason, `hint` the next step."""


def read_archive(data: bytes) -> Mapping[str, bytes]:
    """Return the files of an archive, by path. Raises `ArchiveError`."""
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
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for count, member in enumerate(archive, start=1):
            if count > COUNT_LIMIT:
                raise ArchiveError(f"it has more than {COUNT_LIMIT:,} files")
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise ArchiveError(f"`{member.name[:80]}` in it is no ordinary file")
            name = _checked(member.name)
            if name in files:
                raise ArchiveError(f"`{name}` is in it twice")
            opened = archive.extractfile(member)
            content = opened.read() if opened is not None else b""
            if len(content) != member.size:
                raise ArchiveError("it is cut off")
            files[name] = content
    return files


def _checked(name: str) -> str:
    """Return a path of an archive with `/` as separator. Raises `ArchiveError` for a path that leads out of it."""
    if problem := path_problem(name):
        raise ArchiveError(f"`{name[:80]}` in it {problem}")
    return str(PurePosixPath(name))


def path_problem(name: str) -> str | None:
    """Return the reason why `name` is not a path of a file inside a package, or None."""
    if len(name) > _LONGEST_NAME or not name.isprintable():
        return "is no name of a file"
    if "\\" in name or ":" in name or PurePosixPath(name).is_absolute() or ".." in name.split("/"):
        return "leads out of the package"
    return None if PurePosixPath(name).parts else "is no name of a file"


def sources_of(folder: Path) -> Mapping[str, bytes]:
    """Return the files of the package in `folder` that belong in an archive: manifest, `.pp` files, README, license and
    changelog.

    Raises `OSError` and `ArchiveError`.
    """
    files: dict[str, bytes] = {}
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
            files[inner] = read_regular(path, most=UNPACKED_LIMIT)
            size += len(files[inner])
            if size > UNPACKED_LIMIT or len(files) > COUNT_LIMIT:
                raise ArchiveError(f"the package has more than {UNPACKED_LIMIT >> 20} MB or {COUNT_LIMIT:,} files")
    return files


def write_archive(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of `files`: equal bytes for equal files."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(files[name]))
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(plain.getvalue()) + packer.flush()


def digest_of(data: bytes) -> str:
    """Return the digest of an archive in the notation of manifests and lock files."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class ArchiveCache:
    """The archives in one directory, by digest: `packages-1/3f9a….tar.gz`.

    Reading verifies the digest, so that a damaged archive counts as missing.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory / CACHE_FOLDER

    def read(self, digest: str) -> bytes | None:
        """Return the archive with this digest, or None."""
        try:
            data = read_regular(self._path(digest), most=SIZE_LIMIT)
        except OSError:
            return None
        return data if digest_of(data) == digest else None

    def has(self, digest: str) -> bool:
        """Return whether there is an archive for this digest, which is not verified."""
        return self._path(digest).is_file()

    def write(self, data: bytes) -> None:
        """Store an archive. Raises `OSError`."""
        self._directory.mkdir(parents=True, exist_ok=True)
        replace_file(self._path(digest_of(data)), data)

    def _path(self, digest: str) -> Path:
        return self._directory / f"{digest.removeprefix('sha256:')}{SUFFIX}"
