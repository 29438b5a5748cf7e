"""Read-only SQLite files, usable in forks of the process that opened them, too."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote


class ReadOnlyFile:
    """A connection that reads a file.  Safe to share between threads if one of them uses it at a time.

    A forked process opens the file for itself: two that shared a connection would move each other's position in the file.
    """

    def __init__(self, path: Path, *, immutable: bool = False, patience: float = 5.0) -> None:
        """Open the file; `immutable` means that no process ever changes it, which saves SQLite all locking.

        `patience` is the time to wait for a writer, in seconds.  Raises `sqlite3.Error`.
        """
        self._uri = f"file:{quote(str(path))}?mode=ro{'&immutable=1' if immutable else ''}"
        self._patience = patience
        self._open()

    def execute(self, query: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """The rows that a query finds.  Raises `sqlite3.Error`."""
        if self._process != os.getpid():
            self._inherited = self._connection  # closing it would be a use of it
            self._open()
        return self._connection.execute(query, values)

    def close(self) -> None:
        """Close the file."""
        if self._process == os.getpid():
            self._connection.close()

    def __del__(self) -> None:
        # Stores have no end of their own; newer Pythons complain about connections that are just forgotten.
        if hasattr(self, "_connection"):
            self.close()

    def _open(self) -> None:
        self._process = os.getpid()
        self._connection = sqlite3.connect(
            self._uri, uri=True, timeout=self._patience, check_same_thread=False, isolation_level=None
        )
