"""The archives of packages on this machine, by what they hold.

Comes in: digests and bytes.  Goes out: the bytes of an archive, if it is here; they are looked at again each time, so that
one that was damaged is as good as none.  In the directory of pclgen's caches:

    packages-1/3f9a….tar.gz      the archive with this SHA-256
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from pclgen.deps.archive import SIZE_LIMIT, SUFFIX
from pclgen.disk.replacing import replace_file
from pclgen.source.files import read_regular

FOLDER = "packages-1"


def digest_of(data: bytes) -> str:
    """The digest of an archive as manifests and lock files write it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


class Keep:
    """What is kept in one directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory / FOLDER

    def read(self, digest: str) -> bytes | None:
        """The archive with this digest; None when it is not here."""
        try:
            data = read_regular(self._path(digest), most=SIZE_LIMIT)
        except OSError:
            return None
        return data if digest_of(data) == digest else None

    def has(self, digest: str) -> bool:
        """Whether there is an archive that may have this digest."""
        return self._path(digest).is_file()

    def write(self, data: bytes) -> None:
        """Keep an archive.  Raises `OSError`."""
        self._directory.mkdir(parents=True, exist_ok=True)
        replace_file(self._path(digest_of(data)), data)

    def _path(self, digest: str) -> Path:
        return self._directory / f"{digest.removeprefix('sha256:')}{SUFFIX}"
