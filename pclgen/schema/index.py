"""The index of a schema on disk: an SQLite file from which single members are read.

An `Index` reads single members, and looks up names, without reading the rest (ecosystem 1.2).

    about(key, value)                        edition, header (JSON), check sum of the names
    member(id, kind, token, canonical, crc)  in the order of the schema; crc is that of token and body
    body(id, body)                           JSON of the member
    former(name, token)                      former names of resources, as written and canonical

A file is written under another name, renamed, and never changed afterwards: processes do not disturb each other, and an
existing file is complete. Check sums detect disk errors; after a `DamagedError`, the index must be rebuilt. A forked process
opens the file again (`ReadOnlyFile`).
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from threading import Lock
from typing import TypeAlias
from urllib.parse import quote

import msgspec

from pclgen.schema.document import Document, Header, is_absent
from pclgen.schema.files import EDITION
from pclgen.schema.tokens import canonical_token, former_names, module_finder


class ReadOnlyFile:
    """A connection that reads a file.  Safe to share between threads if one of them uses it at a time.

    A forked process opens the file again: processes that share a connection would move each other's position in the file.
    """

    def __init__(self, path: Path, *, immutable: bool = False, patience: float = 5.0) -> None:
        """Open the file; `immutable` means that no process ever changes it, which saves SQLite all locking.

        `patience` is the time to wait for a writer, in seconds.  Raises `sqlite3.Error`.
        """
        self._uri = f"file:{quote(str(path))}?mode=ro{'&immutable=1' if immutable else ''}"
        self._patience = patience
        self._open()

    def execute(self, query: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Return the rows that a query finds. Raises `sqlite3.Error`."""
        if self._process != os.getpid():
            self._inherited = self._connection  # kept, since closing it would use the parent's connection
            self._open()
        return self._connection.execute(query, values)

    def close(self) -> None:
        """Close the file."""
        if self._process == os.getpid():
            self._connection.close()

    def __del__(self) -> None:
        # No code closes a store, and newer versions of Python warn about connections that are not closed.
        if hasattr(self, "_connection"):
            self.close()

    def _open(self) -> None:
        self._process = os.getpid()
        self._connection = sqlite3.connect(
            self._uri, uri=True, timeout=self._patience, check_same_thread=False, isolation_level=None
        )


Row: TypeAlias = tuple[object, ...]

_TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE member (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, token TEXT NOT NULL, canonical TEXT NOT NULL,
                     crc INTEGER NOT NULL);
CREATE TABLE body (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE former (name TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
"""
_LOOKUPS = (
    "CREATE UNIQUE INDEX member_token ON member (kind, token)",
    "CREATE INDEX member_canonical ON member (kind, canonical, id)",
)


class MemberKind(IntEnum):
    """The kinds of members of a schema."""

    RESOURCE = 0
    TYPE = 1
    FUNCTION = 2
    PROVIDER = 3


class DamagedError(Exception):
    """An index is damaged: truncated, overwritten, of another version, or removed."""


def build_index(document: Document, path: Path) -> None:
    """Write the index of `document` to `path` atomically.

    Raises `OSError` or `sqlite3.Error` if that fails, `ValueError` if the schema's module format is unusable; then it leaves
    no file.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        connection = sqlite3.connect(temporary, isolation_level=None)
        try:
            # The file is visible only when it is complete, so it needs no protection against a crash.
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")
            connection.executescript(_TABLES)
            connection.execute("BEGIN")
            _fill(connection, document)
            connection.execute("COMMIT")
        finally:
            connection.close()
        os.replace(temporary, path)
    except BaseException:  # also on Ctrl-C: remove the partial file and propagate
        temporary.unlink(missing_ok=True)
        raise


def _fill(connection: sqlite3.Connection, document: Document) -> None:
    header, members = document.header, document.members
    module_of = module_finder(header.meta.module_format if header.meta is not None else "")
    number = 0
    sections = (
        (MemberKind.RESOURCE, members.resources),
        (MemberKind.TYPE, members.types),
        (MemberKind.FUNCTION, members.functions),
    )
    for kind, section in sections:
        for token, raw in section.items():
            body = bytes(raw)
            row = (number, kind, token, canonical_token(token, module_of), check_sum(token, body))
            connection.execute("INSERT INTO member VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("INSERT INTO body VALUES (?, ?)", (number, body))
            number += 1
    provider = members.provider()
    if not is_absent(provider):
        body = bytes(provider)
        connection.execute("INSERT INTO member VALUES (?, ?, '', '', ?)", (number, MemberKind.PROVIDER, check_sum("", body)))
        connection.execute("INSERT INTO body VALUES (?, ?)", (number, body))
    former = former_names(document.aliases(), module_of)
    connection.executemany("INSERT INTO former VALUES (?, ?)", sorted(former.items()))
    for statement in _LOOKUPS:
        connection.execute(statement)
    head = msgspec.json.encode(header)
    about = {"edition": EDITION.encode(), "header": head, "sum": _sum(head), "names": _sum_of_names(connection)}
    connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())


def check_sum(token: str, body: bytes) -> int:
    """Return the check sum of a member's body."""
    return zlib.crc32(body, zlib.crc32(token.encode()))


def _sum(data: bytes) -> bytes:
    return b"%d" % zlib.crc32(data)


def _sum_of_names(connection: sqlite3.Connection | ReadOnlyFile) -> bytes:
    """Return a check sum of everything that lookups by name use; SQLite concatenates the names, which is much faster."""
    total = 0
    for query in (
        "SELECT kind || ' ' || token || ' ' || canonical AS name FROM member ORDER BY id",
        "SELECT name || ' ' || token AS name FROM former ORDER BY name",
    ):
        (text,) = connection.execute(f"SELECT group_concat(name, char(10)) FROM ({query})").fetchone()
        total = zlib.crc32(str(text or "").encode(), total)
    return b"%d" % total


class Index:
    """An open index, safe to share between threads. Raises `DamagedError` when the file turns out to be damaged."""

    def __init__(self, path: Path) -> None:
        """Open the index at `path`; raises `DamagedError` if it is not a valid index of this version."""
        self.path = path
        self._lock = Lock()
        self._names_checked = False
        try:
            # The file may be on a read-only disk.
            self._connection = ReadOnlyFile(path, immutable=True)
        except sqlite3.Error as error:
            raise DamagedError(str(error)) from error
        try:
            self.header: Header = self._read_header()
        except DamagedError:
            self.close()
            raise

    def _read_header(self) -> Header:
        with self._reading():
            about = dict(self._connection.execute("SELECT key, value FROM about").fetchall())
        if about.get("edition") != EDITION.encode():
            raise DamagedError("the index is of another edition")
        head = about.get("header")
        if not isinstance(head, bytes) or about.get("sum") != _sum(head):
            raise DamagedError("wrong check sum of the header")
        return msgspec.json.decode(head, type=Header)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def body(self, kind: MemberKind, token: str) -> bytes | None:
        """Return the JSON of a member, by its schema token."""
        query = "SELECT crc, body FROM member JOIN body USING (id) WHERE kind = ? AND token = ?"
        row = self._row(query, kind, token)
        if row is None:
            return None
        crc, body = row
        if not isinstance(body, bytes) or crc != check_sum(token, body):
            raise DamagedError(f"wrong check sum of {token}")
        return body

    def has(self, kind: MemberKind, token: str) -> bool:
        """Return whether the schema contains exactly this token."""
        return self._row("SELECT 1 FROM member WHERE kind = ? AND token = ?", kind, token) is not None

    def tokens(self, kind: MemberKind) -> tuple[str, ...]:
        """Return all tokens of a section in schema order."""
        self._check_names()
        with self._reading():
            rows = self._connection.execute("SELECT token FROM member WHERE kind = ? ORDER BY id", (kind,))
            return tuple([str(token) for (token,) in rows])

    def count(self, kind: MemberKind) -> int:
        """Return the number of members of a section."""
        row = self._row("SELECT count(*) FROM member WHERE kind = ?", kind)
        return int(str(row[0])) if row is not None else 0

    def by_canonical(self, kind: MemberKind, form: str) -> str | None:
        """Return the first token with this canonical form."""
        row = self._row("SELECT token FROM member WHERE kind = ? AND canonical = ? ORDER BY id LIMIT 1", kind, form)
        if row is None:
            self._check_names()
        return str(row[0]) if row is not None else None

    def by_former(self, name: str) -> str | None:
        """Return the resource with the former name `name`."""
        row = self._row("SELECT token FROM former WHERE name = ?", name)
        return str(row[0]) if row is not None else None

    def former(self) -> list[tuple[str, str]]:
        """Return all former names with the present token."""
        with self._reading():
            rows = self._connection.execute("SELECT name, token FROM former ORDER BY name")
            return [(str(name), str(token)) for name, token in rows]

    def _check_names(self) -> None:
        """Verify that no name is missing, before a lookup fails or names are listed."""
        if self._names_checked:
            return
        with self._reading():
            row = self._connection.execute("SELECT value FROM about WHERE key = 'names'").fetchone()
            if row is None or row[0] != _sum_of_names(self._connection):
                raise DamagedError("wrong check sum of the names")
        self._names_checked = True

    def _row(self, query: str, *values: object) -> Row | None:
        with self._reading():
            row: Row | None = self._connection.execute(query, values).fetchone()
            return row

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
                raise DamagedError(str(error)) from error
