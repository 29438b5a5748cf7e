"""Schema files as bytes: reading, change detection, and YAML."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pclgen.schema.document import Document, read_document
from pclgen.schema.errors import BadSchema
from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import read_regular

if TYPE_CHECKING:
    from pclgen.schema.sources import Candidate

SUFFIXES = (".json", ".yaml", ".yml")
"""The suffixes of schema files."""

DIRECT = 1024 * 1024
"""Files below this size (in bytes) are read in every run, which is faster than opening an index."""

EDITION = "3"
"""The version of the caches on disk: changes whenever their tables or the meaning of their content changes."""

ONCE = "once"
"""Prefix of fingerprints that must not be stored, since the file may still change unnoticed."""

_YAML = (".yaml", ".yml")

# Clocks of file systems tick: a file may change twice within a tick and look the same.
_TICK = 50_000_000
_COARSE_TICK = 2_100_000_000


def fingerprint_of(path: Path | None) -> str:
    """Return a text that changes with the file: its path, size and times; "" for files that are small or inaccessible.

    YAML files are slow to read at any size.
    """
    if path is None:
        return ""
    try:
        stat = os.stat(path)
    except OSError:
        return ""
    if stat.st_size < (DIRECT if not is_yaml(path) else DIRECT // 64):
        return ""
    changed = max(stat.st_mtime_ns, stat.st_ctime_ns)
    tick = _COARSE_TICK if stat.st_mtime_ns % 1_000_000_000 == 0 else _TICK
    kind = ONCE if abs(time.time_ns() - changed) < tick else "file"
    return f"{kind} {os.path.abspath(path)} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"


def read_file(name: str, path: Path) -> bytes | BadSchema:
    """Return the bytes of the schema file of package `name`."""
    try:
        # Not memory-mapped: truncation by another program would crash this process, and a copy is cheap.
        return read_regular(path)
    except OSError as error:
        return BadSchema(name=name, where=str(path), reason=f"the file cannot be read: {error.strerror or error}")


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def identity_of(data: bytes) -> str:
    """Return the `Document.identity` of a whole schema."""
    return f"sha256:{digest(data)}"


def parse(candidate: Candidate, data: bytes) -> Document | BadSchema:
    """Return the schema in the bytes of `candidate`, members unread; its identity is the digest of the bytes."""

    def bad(reason: str) -> BadSchema:
        return BadSchema(name=candidate.name, where=candidate.where, reason=reason)

    identity = identity_of(data)
    if not as_locked(candidate, identity):
        return changed(candidate)
    if is_yaml(candidate.path):
        text = json_of_yaml(data)
        if isinstance(text, str):
            return bad(text)
        data = text
    document = read_document(data, where=candidate.where, path=candidate.path, identity=identity)
    return bad(document) if isinstance(document, str) else document


def as_locked(candidate: Candidate, identity: str) -> bool:
    """Return whether content with this identity matches the lock file (if it is locked)."""
    return not candidate.sha256 or identity == f"sha256:{candidate.sha256}"


def changed(candidate: Candidate) -> BadSchema:
    """Return the error for a file that differs from the locked one."""
    label = f"{candidate.name}@{candidate.version}" if candidate.version else candidate.name
    return BadSchema(
        name=candidate.name,
        where=candidate.where,
        reason="the file is not the one that the lock file names: its SHA-256 is another",
        help="take it from version control, or lock what there is now:"
        f" `pclgen schema add {label} --from {candidate.where}`",
    )


def is_yaml(path: Path | None) -> bool:
    """Return whether the file name is that of a YAML file."""
    return path is not None and path.suffix in _YAML


def json_of_yaml(data: bytes) -> bytes | str:
    """Return YAML as JSON, or the reason why it is invalid."""
    try:
        return msgspec.json.encode(read_yaml(data, only_json=True))
    except DataError as error:
        return f"not valid YAML: {error}"
    except TypeError as error:
        return f"the YAML is not plain data: {error}"
