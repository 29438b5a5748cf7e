"""One file, replaced in one step, by any number of processes at once.

For caches and snapshots: the last one wins, and what a killed process left is removed by the cache's own tidying, or as a
snapshot of nothing.  Files of people go through `pclgen.disk.transaction`.
"""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that either all of it is there or what was before.  Raises `OSError`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:  # also Ctrl-C: nothing half-written stays; the exception goes on
        temporary.unlink(missing_ok=True)
        raise
