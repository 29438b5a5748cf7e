"""The project's own schemas: the folder `schemas/` and its lock file.

The lock file is sorted JSON with one entry per file, so that it can be reviewed and merged:

    {"version": 1,
     "schemas": [{"name": "aws", "version": "7.48.0", "file": "aws-7.48.0.json", "sha256": "…", "source": "…"}]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from pclgen.disk.transaction import recover
from pclgen.schema.config import ConfigurationError, folders_above
from pclgen.source.files import read_regular

FOLDER = "schemas"
LOCK = "pclgen.lock"
_FORMAT = 1


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One schema of the project: its file in the folder, the digest of its bytes, and its original source."""

    name: str
    version: str
    file: str
    sha256: str
    source: str


class _LockFile(msgspec.Struct, frozen=True):
    version: int
    schemas: list[Entry]


def read_lock(folder: Path) -> tuple[Entry, ...]:
    """Return the entries of the lock file in `folder`; none without a file. Raises `ConfigurationError`."""
    recover(folder)
    path = folder / LOCK
    try:
        content = msgspec.json.decode(read_regular(path), type=_LockFile)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = "take it from version control, or delete it and add the schemas again"
        raise ConfigurationError(f"{path}: not a lock file of pclgen: {error}", hint) from error
    if content.version != _FORMAT:
        hint = "use that version, or delete the file and add the schemas again"
        raise ConfigurationError(f"{path}: written by another version of pclgen", hint)
    return tuple(content.schemas)


def lock_file(entries: Mapping[str, Entry]) -> bytes | None:
    """Return the content of the lock file with these entries (by file); None for no file."""
    if not entries:
        return None
    content = _LockFile(version=_FORMAT, schemas=[entries[file] for file in sorted(entries)])
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def project_folder(directory: Path) -> Path | None:
    """Return the folder `schemas/` of the programs in `directory`: beside them, or above them in the repository."""
    return next((folder for folder in _folders(directory) if folder.is_dir()), None)


def _folders(directory: Path) -> Iterator[Path]:
    for folder in folders_above(directory):
        yield folder / FOLDER


def pinned(entries: tuple[Entry, ...], label: str) -> dict[str, tuple[str, str]]:
    """Return the versions pinned by a lock file, with the reason: packages that it holds in a single version."""
    versions: dict[str, set[str]] = {}
    for entry in entries:
        versions.setdefault(entry.name, set()).add(entry.version)
    reason = f"locked in {label}"
    return {name: (next(iter(own)), reason) for name, own in versions.items() if len(own) == 1 and "" not in own}
