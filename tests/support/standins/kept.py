"""SDKs that are written once: kept in the folder of the toolchains as long as what they are made from stays the same."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.support.toolchains import cache_folder, locked

_READY = ".ready"


def kept_path(kind: str, sources: Sequence[Path], write: Callable[[Path], None]) -> list[Path]:
    """The folders, one for each SDK, that `write` makes from `sources`; a higher version stands before a lower one.

    Raises `OSError`.
    """
    digest = hashlib.sha256()
    for path in [*sorted(Path(__file__).parent.glob("*.py")), *sources]:
        digest.update(path.name.encode() + path.read_bytes())
    home = cache_folder() / f"standins-{kind}-{digest.hexdigest()[:12]}"
    with locked(f"standins-{kind}"):
        if not (home / _READY).exists():
            shutil.rmtree(home, ignore_errors=True)
            write(home)
            (home / _READY).touch()
    return sorted((path for path in home.iterdir() if path.is_dir()), key=_version, reverse=True)


def _version(entry: Path) -> tuple[int, ...]:
    match = re.search(r"-(\d+)\.(\d+)\.(\d+)", entry.name)
    return tuple(int(part) for part in match.groups()) if match else ()
