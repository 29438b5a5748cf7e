"""Files that tests write."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath


def write_files(folder: Path, files: Mapping[str, str] | Mapping[PurePosixPath, str]) -> Path:
    """Write texts below `folder`, by path, and return it."""
    for name, text in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(text, encoding="utf-8", newline="")
    return folder
