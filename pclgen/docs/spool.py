"""New texts of many files, kept on disk until all of them are known.

Comes in: texts by path.  Goes out: a mapping of their bytes, read when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

_IN_MEMORY = 8 * 1024 * 1024


class Spool(Mapping[Path, bytes]):
    """A mapping that takes new entries, and holds no more than some megabytes in memory: `with Spool.opened() as spool`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[Path, tuple[int, int]] = {}

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Spool]:
        """An empty one, which is gone after the block.  Raises `OSError` when there is no room for it."""
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
            yield cls(file)

    def add(self, path: Path, data: bytes) -> None:
        """Keep `data`.  Raises `OSError` when there is no room."""
        start = self._file.seek(0, 2)
        self._file.write(data)
        self._places[path] = (start, len(data))

    def __getitem__(self, path: Path) -> bytes:
        start, size = self._places[path]
        self._file.seek(start)
        return self._file.read(size)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
