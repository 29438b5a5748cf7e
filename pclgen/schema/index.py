"""The index of a schema on disk: an SQLite file from which single members are read (ecosystem 1.2).

    about(key, value)                     edition, header (JSON), and check sums of what is completely listed
    name(kind, place, token, canonical)   the tokens of a section, in the order of the schema
    body(kind, token, crc, body)          JSON of a member; crc is that of token and body
    former(name, token)                   former names of resources, as written and canonical

A schema that was read as a whole has a complete index: it is written under another name, renamed, and never changed
afterwards, so that processes do not disturb each other. The members of an installed SDK are expensive to find, and are
added one by one: look-ups try the file first, then the document, and `flush` writes new members in one transaction. Several
processes may add to one file: SQLite locks it, and a process that would wait too long discards its additions.

Check sums detect disk errors. A damaged index answers from the document, and is replaced at the next `flush`.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from threading import RLock
from typing import Final, TypeAlias
from urllib.parse import quote

import msgspec
from msgspec import Raw

from pclgen.schema.document import ABSENT, Document, Header, Members
from pclgen.schema.sources import EDITION
from pclgen.schema.tokens import MemoryTable, canonical_token, former_names, module_finder

_PATIENCE: Final = 2.0
"""Seconds to wait for other processes that write."""

Row: TypeAlias = tuple[object, ...]

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS name (kind INTEGER NOT NULL, place INTEGER NOT NULL, token TEXT NOT NULL,"
    " canonical TEXT NOT NULL, PRIMARY KEY (kind, place)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS body (kind INTEGER NOT NULL, token TEXT NOT NULL, crc INTEGER NOT NULL, body BLOB NOT NULL,"
    " PRIMARY KEY (kind, token))",
    "CREATE TABLE IF NOT EXISTS former (name TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS name_token ON name (kind, token)",
    "CREATE INDEX IF NOT EXISTS name_canonical ON name (kind, canonical, place)",
)
_NAMES: Final = "SELECT token || ' ' || canonical AS line FROM name WHERE kind = ? ORDER BY place"
_FORMER: Final = "SELECT name || ' ' || token AS line FROM former ORDER BY name"


class MemberKind(IntEnum):
    """The kinds of members of a schema."""

    RESOURCE = 0
    TYPE = 1
    FUNCTION = 2
    PROVIDER = 3


class ReadOnlyFile:
    """A connection that reads a file.  Safe to share between threads if one of them uses it at a time.

    A forked process opens the file again: processes that share a connection would move each other's position in the file.
    """

    def __init__(self, path: Path, *, immutable: bool = False) -> None:
        """Open the file; `immutable` means that no process ever changes it, which saves SQLite all locking, and that it may
        be on a read-only disk.

        Raises `sqlite3.Error`.
        """
        self._uri = f"file:{quote(str(path))}?mode=ro{'&immutable=1' if immutable else ''}"
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
            self._uri, uri=True, timeout=_PATIENCE, check_same_thread=False, isolation_level=None
        )


class Index:
    """The index of one schema, safe to share between threads."""

    def __init__(self, path: Path, live: Callable[[], Document], *, complete: bool) -> None:
        """`live` opens the document for what the file at `path` lacks, and raises `SchemaError` if it cannot.

        A `complete` index lacks nothing unless it is damaged; its `header` is None if it is so now.
        """
        self.path = path
        self._live = live
        self._complete = complete
        self._document: Document | None = None
        self._lock = RLock()
        self._about: dict[str, bytes] = {}
        self._connection: ReadOnlyFile | None = None
        self._damaged = False
        self._bodies: dict[tuple[MemberKind, str], bytes] = {}
        self._tables: dict[MemberKind, MemoryTable] = {}
        self._sound: set[str] = set()
        self._new: dict[str, list[Row]] = {"about": [], "name": [], "body": [], "former": []}
        header = self._open()
        if header is None and not complete:
            header = self._whole().header
            self._new["about"] = _beginning(header)
        self.header: Header | None = header
        meta = header.meta if header is not None else None
        self._module_of = module_finder(meta.module_format if meta is not None else "")

    def members(self) -> Members:
        """Return the members of the schema, found on demand."""
        return Members(
            resources=_Section(self, MemberKind.RESOURCE),
            types=_Section(self, MemberKind.TYPE),
            functions=_Section(self, MemberKind.FUNCTION),
            provider=lambda: Raw(self.body(MemberKind.PROVIDER, "") or bytes(ABSENT)),
            aliases=self.aliases,
        )

    def body(self, kind: MemberKind, token: str) -> bytes | None:
        """Return the JSON of a member, or None."""
        with self._lock:
            raw = self._bodies.get((kind, token))
            if raw is not None:
                return raw
            row = self._row("SELECT crc, body FROM body WHERE kind = ? AND token = ?", kind, token)
            if row is not None:
                crc, body = row
                if isinstance(body, bytes) and crc == _check_sum(token, body):
                    self._bodies[kind, token] = body
                    return body
                self._give_up()
            elif kind is not MemberKind.PROVIDER and self._is_listed(kind) and self._has_name(kind, token) is False:
                return None
            raw = _body_of(self._whole().members, kind, token)
            if raw is not None:
                self._bodies[kind, token] = raw
                self._new["body"].append((kind, token, _check_sum(token, raw), raw))
            return raw

    def has(self, kind: MemberKind, token: str) -> bool:
        """Return whether the schema contains exactly this token."""
        with self._lock:
            if (kind, token) in self._bodies or self._row("SELECT 1 FROM body WHERE kind = ? AND token = ?", kind, token):
                return True
            if self._is_listed(kind) and (is_named := self._has_name(kind, token)) is not None:
                return is_named
            return token in _section_of(self._whole().members, kind)

    def tokens(self, kind: MemberKind) -> Sequence[str]:
        """Return all tokens of a section in the order of the schema."""
        with self._lock:
            if self._is_sound(_listed(kind), _NAMES, kind):
                rows = self._all("SELECT token FROM name WHERE kind = ? ORDER BY place", kind)
                return tuple([str(token) for (token,) in rows])
            return self._table(kind).tokens()

    def by_canonical(self, kind: MemberKind, form: str) -> str | None:
        """Return the first token with this canonical form."""
        query = "SELECT token FROM name WHERE kind = ? AND canonical = ? ORDER BY place LIMIT 1"
        with self._lock:
            if self._is_listed(kind):
                row = self._row(query, kind, form)
                if row is not None or self._is_sound(_listed(kind), _NAMES, kind):
                    return str(row[0]) if row is not None else None
            return self._table(kind).by_canonical(form)

    def by_former(self, name: str) -> str | None:
        """Return the only resource with the former name `name`."""
        with self._lock:
            if "former" in self._about:
                row = self._row("SELECT token FROM former WHERE name = ?", name)
                if row is not None or self._is_sound("former", _FORMER):
                    return str(row[0]) if row is not None else None
            token = self._table(MemberKind.RESOURCE).by_former(name)
            if not any(key == "former" for key, _ in self._new["about"]):
                former = sorted(former_names(self._whole().aliases(), self._module_of).items())
                self._new["former"] = [*former]
                self._new["about"].append(("former", _sum_of(former)))
            return token

    def aliases(self) -> Iterable[tuple[str, str]]:
        """Return all former names, with the present resource."""
        with self._lock:
            if self._is_sound("former", _FORMER):
                return [(str(name), str(token)) for name, token in self._all("SELECT name, token FROM former ORDER BY name")]
            return self._whole().aliases()

    def flush(self) -> None:
        """Write what the file lacks. Failures are harmless, since members can be found again."""
        with self._lock:
            if not self._damaged and not any(self._new.values()):
                return
            self.close()
            with suppress(OSError, sqlite3.Error, ValueError):
                if self._damaged:
                    self.path.unlink(missing_ok=True)
                if not self._complete:
                    self._add()
                elif self._document is not None:
                    write_index(self._document, self.path)
            for rows in self._new.values():
                rows.clear()
            self._damaged = False
            self._open()

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> Header | None:
        """Open the file and return its header; None if it is missing, damaged or of another edition."""
        self._about = {}
        self._sound.clear()
        with suppress(sqlite3.Error):
            self._connection = ReadOnlyFile(self.path, immutable=self._complete)
        about = {str(key): value for key, value in self._all("SELECT key, value FROM about") if isinstance(value, bytes)}
        head = about.get("header", b"")
        try:
            header = msgspec.json.decode(head, type=Header) if about.get("sum") == _sum(head) else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            header = None
        if header is None or about.get("edition") != EDITION.encode():
            if about:
                self._give_up()
            return None
        self._about = about
        return header

    def _add(self) -> None:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        try:
            # Damage from a crash of the machine is detected, and the data is recovered again.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            for statement in _TABLES:
                connection.execute(statement)
            for table, rows in self._new.items():
                _insert(connection, table, rows)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def _give_up(self) -> None:
        """Answer without the damaged file, and replace it at the end."""
        self.close()
        self._damaged = True
        self._about = {}
        self._tables.clear()
        bodies = [(kind, token, _check_sum(token, body), body) for (kind, token), body in self._bodies.items()]
        header = getattr(self, "header", None)
        self._new = {"about": _beginning(header) if header is not None else [], "name": [], "body": [*bodies], "former": []}

    def _is_listed(self, kind: MemberKind) -> bool:
        return _listed(kind) in self._about

    def _has_name(self, kind: MemberKind, token: str) -> bool | None:
        """Return whether a listed section has a token; None if its list turns out to be damaged."""
        if self._row("SELECT 1 FROM name WHERE kind = ? AND token = ?", kind, token) is not None:
            return True
        return False if self._is_sound(_listed(kind), _NAMES, kind) else None

    def _is_sound(self, key: str, lines: str, *values: object) -> bool:
        """Return whether the file has an undamaged list `key`; checked before any look-up fails, or names are listed."""
        if key in self._about and key not in self._sound:
            row = self._row(f"SELECT group_concat(line, char(10)) FROM ({lines})", *values)  # much faster than Python
            if row is not None and self._about.get(key) == _sum(str(row[0] or "").encode()):
                self._sound.add(key)
            else:
                self._give_up()
        return key in self._about

    def _table(self, kind: MemberKind) -> MemoryTable:
        """Return a section in memory, until the file lists it."""
        table = self._tables.get(kind)
        if table is None:
            document = self._whole()
            tokens = dict.fromkeys(_section_of(document.members, kind))
            aliases = document.aliases if kind is MemberKind.RESOURCE else None
            table = self._tables[kind] = MemoryTable(tokens, self._module_of, aliases)
            rows = [(token, canonical_token(token, self._module_of)) for token in tokens]
            self._new["name"] += [(kind, place, *row) for place, row in enumerate(rows)]
            self._new["about"].append((_listed(kind), _sum_of(rows)))
        return table

    def _whole(self) -> Document:
        if self._document is None:
            self._document = self._live()
        return self._document

    def _row(self, query: str, *values: object) -> Row | None:
        rows = self._all(query, *values)
        return rows[0] if rows else None

    def _all(self, query: str, *values: object) -> list[Row]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except (sqlite3.Error, OverflowError, UnicodeDecodeError):
            self._give_up()
            return []


class _Section(Mapping[str, Raw]):
    """One section of an index: a mapping, and a `TokenTable`."""

    __slots__ = ("_index", "_kind")

    def __init__(self, index: Index, kind: MemberKind) -> None:
        self._index = index
        self._kind = kind

    def __getitem__(self, token: str) -> Raw:
        body = self._index.body(self._kind, token)
        if body is None:
            raise KeyError(token)
        return Raw(body)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tokens())

    def __len__(self) -> int:
        return len(self.tokens())

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and self.has(token)

    def tokens(self) -> Sequence[str]:
        """All tokens in the order of the schema."""
        return self._index.tokens(self._kind)

    def has(self, token: str) -> bool:
        """Return whether the schema writes a token so."""
        return self._index.has(self._kind, token)

    def by_canonical(self, form: str) -> str | None:
        """The first token with this canonical form."""
        return self._index.by_canonical(self._kind, form)

    def by_former(self, name: str) -> str | None:
        """The one resource that was once called `name`."""
        return self._index.by_former(name) if self._kind is MemberKind.RESOURCE else None


def write_index(document: Document, path: Path) -> None:
    """Write the complete index of `document` to `path` atomically.

    Raises `OSError` or `sqlite3.Error` if that fails, `ValueError` if the schema's module format is unusable; then it leaves
    no file.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        connection = sqlite3.connect(temporary, isolation_level=None)
        try:
            # The file is visible only when it is complete, so it needs no protection against a crash.
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")
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
    tables, look_ups = _TABLES[:4], _TABLES[4:]  # look-ups are made faster for rows that are there
    for statement in tables:
        connection.execute(statement)
    about = _beginning(header)
    for kind in (MemberKind.RESOURCE, MemberKind.TYPE, MemberKind.FUNCTION):
        names: list[tuple[str, str]] = []
        for token, raw in _section_of(members, kind).items():
            names.append((token, canonical_token(token, module_of)))
            _insert(connection, "body", [(kind, token, _check_sum(token, bytes(raw)), bytes(raw))])
        _insert(connection, "name", [(kind, place, *name) for place, name in enumerate(names)])
        about.append((_listed(kind), _sum_of(names)))
    provider = bytes(members.provider())
    _insert(connection, "body", [(MemberKind.PROVIDER, "", _check_sum("", provider), provider)])
    former = sorted(former_names(document.aliases(), module_of).items())
    _insert(connection, "former", former)
    _insert(connection, "about", [*about, ("former", _sum_of(former))])
    for statement in look_ups:
        connection.execute(statement)


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)


def _beginning(header: Header) -> list[Row]:
    """Return the rows with which every file begins."""
    head = msgspec.json.encode(header)
    return [("edition", EDITION.encode()), ("header", head), ("sum", _sum(head))]


def _listed(kind: MemberKind) -> str:
    """Return the key of the check sum of a section's names."""
    return f"listed{int(kind)}"


def _check_sum(token: str, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(token.encode()))


def _sum(data: bytes) -> bytes:
    return b"%d" % zlib.crc32(data)


def _sum_of(rows: Iterable[tuple[str, str]]) -> bytes:
    """Return the check sum of two columns, as `Index._is_sound` computes it from a file."""
    return _sum("\n".join(f"{left} {right}" for left, right in rows).encode())


def _section_of(members: Members, kind: MemberKind) -> Mapping[str, Raw]:
    """Return a section of members (the provider is not in one)."""
    sections = {
        MemberKind.RESOURCE: members.resources,
        MemberKind.TYPE: members.types,
        MemberKind.FUNCTION: members.functions,
    }
    return sections[kind]


def _body_of(members: Members, kind: MemberKind, token: str) -> bytes | None:
    """Return the JSON of one member, or None."""
    if kind is MemberKind.PROVIDER:
        return bytes(members.provider())
    raw = _section_of(members, kind).get(token)
    return None if raw is None else bytes(raw)
