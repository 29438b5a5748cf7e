"""The cache of schemas on disk: maps candidates of sources to indexes.

    schemas-1/3f9a….json     a note: the candidate with this fingerprint has that content
    schemas-1/8c01….index    the index of a schema, by the digest of its bytes, or by the identity of an installed SDK

A fingerprint (path, size, times of a file) is cheap, so that an unchanged schema is neither read nor hashed again; a file
that was moved or copied is recognized by its digest after one read. Everything with a fingerprint is indexed; sources
give none for files that are faster to read than to look up (`sources.DIRECT`).

SQLite is loaded only for cached schemas, which most programs do not have. All files are written under another name and
renamed, or locked by SQLite. Where the directory is not writable, schemas are read without a cache.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakSet

import msgspec

from pclgen.disk import replace_file
from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, Lacking, SchemaError
from pclgen.schema.sources import EDITION, ONCE, Candidate, Reading, SchemaSource, identity_of, parse

if TYPE_CHECKING:
    from pclgen.schema.index import Index

LIMIT = 2 * 1024**3
"""Maximum size of the cache in bytes; the least recently used files are removed first."""

_FRESH = 3600.0
"""Seconds during which another use does not update the time of last use, so that most runs write nothing."""
_LEFT_OVER = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""
_PREFIX = "schemas-"


class _Note(msgspec.Struct, omit_defaults=True):
    """The content of a candidate with a certain fingerprint."""

    fingerprint: str
    identity: str
    name: str
    version: str = ""
    partial: bool = False


def default_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """Return `PCLGEN_CACHE_DIR`, else the platform's directory for caches."""
    configured = environ.get("PCLGEN_CACHE_DIR")
    if configured:
        return Path(configured)
    from platformdirs import user_cache_path

    return user_cache_path("pclgen", appauthor=False)


class SchemaCache:
    """Indexes in one directory; without a directory, the same interface without storage.

    Safe to share between threads, and between processes that use the same directory.
    """

    def __init__(self, directory: Path | Callable[[], Path] | None, *, limit: int = LIMIT) -> None:
        """`directory` may be a function, which is called for the first schema to store."""
        self._place = directory
        self._limit = limit
        self._indexes: WeakSet[Index] = WeakSet()
        self._lock = Lock()

    @cached_property
    def _root(self) -> Path | None:
        return self._place() if callable(self._place) else self._place

    @cached_property
    def _directory(self) -> Path | None:
        """The directory of indexes; None if it is not writable."""
        place = self._root / f"{_PREFIX}{EDITION}" if self._root is not None else None
        return place if place is not None and _can_be_used(place) else None

    def stored_identity(self, fingerprint: str) -> tuple[str, str] | None:
        """Return name and version of the package in the file with this fingerprint, if it was read before."""
        note = self._note(fingerprint)
        return (note.name, note.version) if note is not None else None

    def open(self, source: SchemaSource, candidate: Candidate) -> Document | BadSchema | Lacking:
        """Return the schema of a candidate: from its index, else read (and indexed)."""
        fingerprint = source.fingerprint(candidate) if self._place is not None else ""
        if not fingerprint:
            return _plain(candidate, source.read(candidate))
        note = self._note(fingerprint)
        if note is not None:
            again = partial(_read_again, source, candidate, "" if note.partial else note.identity)
            indexed = self._indexed(note.identity, candidate, again, complete=not note.partial)
            if indexed is not None:
                return indexed
        reading = source.read(candidate)
        if isinstance(reading, bytes):
            return self._keep_whole(reading, source, candidate, fingerprint)
        if isinstance(reading, Document) and reading.identity:
            return self._keep_partial(reading, candidate, fingerprint)
        return reading

    def flush(self) -> None:
        """Write new information at the end of a unit of work."""
        with self._lock:
            indexes = list(self._indexes)
        for index in indexes:
            index.flush()

    # From the disk

    def _note(self, fingerprint: str) -> _Note | None:
        path = self._path(fingerprint, ".json") if fingerprint else None
        if path is None:
            return None
        try:
            note = msgspec.json.decode(path.read_bytes(), type=_Note)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return note if note.fingerprint == fingerprint else None

    def _indexed(
        self, identity: str, candidate: Candidate, live: Callable[[], Document], *, complete: bool, create: bool = False
    ) -> Document | None:
        """Return a document that is read from an index, if there is a valid one, or with `create` a new one."""
        path = self._path(identity, ".index")
        if path is None or not (create or os.path.isfile(path)):
            return None
        from pclgen.schema.index import Index

        index = Index(path, live, complete=complete)
        if index.header is None:
            index.close()
            _remove(path)
            return None
        with self._lock:
            self._indexes.add(index)
        _note_use(path)
        return Document(index.header, index.members(), where=candidate.where, path=candidate.path, identity=identity)

    # To the disk

    def _keep_whole(
        self, data: bytes, source: SchemaSource, candidate: Candidate, fingerprint: str
    ) -> Document | BadSchema:
        identity = identity_of(data)
        again = partial(_read_again, source, candidate, identity)
        indexed = self._indexed(identity, candidate, again, complete=True)
        if indexed is None:
            document = parse(candidate, data)
            if isinstance(document, BadSchema) or not self._build(identity, document):
                return document
            indexed = self._indexed(identity, candidate, again, complete=True) or document
        self._write_note(fingerprint, indexed, is_partial=False)
        return indexed

    def _keep_partial(self, document: Document, candidate: Candidate, fingerprint: str) -> Document:
        if self._directory is None or not self._prepare():
            return document
        self._write_note(fingerprint, document, is_partial=True)
        indexed = self._indexed(document.identity, candidate, lambda: document, complete=False, create=True)
        return indexed if indexed is not None else document

    def _build(self, identity: str, document: Document) -> bool:
        """Build an index unless another process does; return whether there is one afterwards.

        This process does not wait for the other one, since the schema is already in memory.
        """
        path = self._path(identity, ".index")
        if path is None or not self._prepare():
            return False
        import sqlite3

        from pclgen.schema.index import write_index

        with _turn(path.with_suffix(".lock")) as mine:
            if not mine:
                return False
            try:
                if not os.path.isfile(path):
                    write_index(document, path)
            except (OSError, sqlite3.Error, ValueError):
                return False
        self._trim(keep=path)
        return True

    def _write_note(self, fingerprint: str, document: Document, *, is_partial: bool) -> None:
        path = self._path(fingerprint, ".json")
        if path is None or fingerprint.startswith(ONCE):
            return
        note = _Note(
            fingerprint=fingerprint,
            identity=document.identity,
            name=document.header.name,
            version=document.header.version,
            partial=is_partial,
        )
        with suppress(OSError):
            replace_file(path, msgspec.json.encode(note))

    def _prepare(self) -> bool:
        assert self._directory is not None
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return os.access(self._directory, os.W_OK)

    def _path(self, key: str, suffix: str) -> Path | None:
        if self._directory is None:
            return None
        return self._directory / (sha256(key.encode()).hexdigest()[:32] + suffix)

    def _trim(self, *, keep: Path) -> None:
        """Delete the least recently used files, of all versions, until the rest fits; and abandoned unfinished files."""
        assert self._root is not None
        files: list[tuple[float, int, Path]] = []
        now = time.time()
        for path in self._root.glob(f"{_PREFIX}*/*"):
            with suppress(OSError):
                stat = path.stat()
                if path.suffix == ".tmp" and now - stat.st_mtime > _LEFT_OVER:
                    path.unlink()
                elif path != keep:
                    files.append((stat.st_mtime, stat.st_size, path))
        room = self._limit - _size(keep)
        for _, size, path in sorted(files, key=lambda entry: (-entry[0], entry[2])):
            room -= size
            if room < 0 and path.suffix != ".lock":
                _remove(path)


def _can_be_used(place: Path) -> bool:
    """Return whether files can be created below `place`: SQLite needs a path that is valid text, and access may be
    denied."""
    try:
        str(place).encode()
        os.stat(place)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _plain(candidate: Candidate, reading: Reading) -> Document | BadSchema | Lacking:
    return parse(candidate, reading) if isinstance(reading, bytes) else reading


def _read_again(source: SchemaSource, candidate: Candidate, identity: str) -> Document:
    """Read the whole schema again. Raises `SchemaError` if the source no longer has it, or, with an `identity`, that
    content."""
    document = _plain(candidate, source.read(candidate))
    if not isinstance(document, Document):
        reason = f"{candidate.where} cannot be read any more: {document.reason}"
    elif identity and document.identity != identity:
        reason = f"{candidate.where} changed while it was used"
    else:
        return document
    raise SchemaError(package=candidate.name, path="", reason=reason)


def _note_use(path: Path) -> None:
    """Record the use of an index, for `_trim`."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > _FRESH:
            os.utime(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _turn(path: Path) -> Iterator[bool]:
    """Whether this process holds the turn that `path` represents; the system ends the turn when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two may build at once, and the one that is renamed last stays
        yield True
        return
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        yield False
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)
