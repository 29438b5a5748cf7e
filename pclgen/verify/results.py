"""A cache of results by content: the same files are not verified twice with the same tools.

Results are text files; unreadable ones count as missing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from pclgen.version import VERSION

_RECORDED_BY: Final = ("evaluate", "protocol", "trace", "verify")
"""The packages of pclgen that run, answer, record and check programs; a change to them makes all results obsolete."""


class Results(Struct, frozen=True):
    """A folder of results; without a folder, nothing is stored."""

    folder: Path | None

    def get(self, key: str) -> str | None:
        """Return the result stored under this key, or None."""
        if self.folder is None:
            return None
        try:
            return self._path(self.folder, key).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return None

    def put(self, key: str, result: str) -> None:
        """Store a result; failures to write are ignored."""
        if self.folder is None:
            return
        path = self._path(self.folder, key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            scratch = path.with_suffix(f".{os.getpid()}")
            scratch.write_text(result, encoding="utf-8")
            scratch.replace(path)

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / key[:2] / f"{key[2:]}.json"


def key_of(*parts: str) -> str:
    """Return the key of a result that depends on `parts`, on this version of pclgen, and on the text of what records."""
    digest = hashlib.sha256(f"{VERSION} {_identity()}".encode())
    for part in parts:
        data = part.encode("utf-8", errors="surrogatepass")
        digest.update(f"\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


@cache
def _identity() -> str:
    package = Path(__file__).parents[1]
    files = (path for name in _RECORDED_BY for path in sorted((package / name).rglob("*")))
    return content_of(path for path in files if path.is_file() and "__pycache__" not in path.parts)


def content_of(folders: Iterable[Path]) -> str:
    """Return a digest of the names and contents of data files and folders."""
    digest = hashlib.sha256()
    for root in folders:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.is_file():
                digest.update(str(path.relative_to(root.parent)).encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
