"""Atomic replacement of one file by any number of concurrent processes.

This is for caches and snapshots: the last writer wins, and cleanup of the cache removes temporary files of killed
processes. Files of users go through `pclgen.disk.transaction`.
"""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to `path`, which afterwards has all of it or the previous content. Raises `OSError`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:  # also on Ctrl-C: remove the partial file and propagate
        temporary.unlink(missing_ok=True)
        raise
