"""Members that are expensive to find (recovered from an installed SDK), cached on disk one by one.

Lookups try an SQLite file first, then the document; `flush` writes new members in one transaction.

    about(key, value)                  edition, header; which sections are listed, whether former names are known
    name(kind, place, token, canonical)
    body(kind, token, crc, body)
    former(name, token)

Several processes may write one file: SQLite locks it, and a process that would wait too long discards its additions. A
damaged file is replaced at the next `flush`.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock

import msgspec
from msgspec import Raw

from pclgen.schema.document import ABSENT, Document, Header, Members
from pclgen.schema.files import EDITION
from pclgen.schema.index import MemberKind, ReadOnlyFile, check_sum
from pclgen.schema.stored import StoredSection, body_of, section_of
from pclgen.schema.tokens import MemoryTable, canonical_token, former_names, module_finder

_PATIENCE = 2.0
"""Seconds to wait for other processes that write."""

_TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS name (kind INTEGER NOT NULL, place INTEGER NOT NULL, token TEXT NOT NULL,
                                 canonical TEXT NOT NULL, PRIMARY KEY (kind, place)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS name_token ON name (kind, token);
CREATE INDEX IF NOT EXISTS name_canonical ON name (kind, canonical, place);
CREATE TABLE IF NOT EXISTS body (kind INTEGER NOT NULL, token TEXT NOT NULL, crc INTEGER NOT NULL, body BLOB NOT NULL,
                                 PRIMARY KEY (kind, token));
CREATE TABLE IF NOT EXISTS former (name TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
"""


class Partial:
    """The known part of one schema, safe to share between threads."""

    def __init__(self, path: Path, live: Callable[[], Document], header: Header | None = None) -> None:
        """`live` opens the document for members that are not in the file at `path`, and raises `SchemaError` if it
        cannot.

        `header` avoids reading it from the file.
        """
        self.path = path
        self._live = live
        self._document: Document | None = None
        self._lock = RLock()
        self._about: dict[str, bytes] = {}
        self._connection = self._open()
        self._broken = False
        self._bodies: dict[tuple[MemberKind, str], bytes] = {}
        self._tables: dict[MemberKind, MemoryTable] = {}
        self._new: dict[str, list[tuple[object, ...]]] = {"about": [], "name": [], "body": [], "former": []}
        self._sound: set[MemberKind] = set()
        self._head = msgspec.json.encode(header) if header is not None else b""
        stored_header = self._known_header()
        self.header: Header | None = header if header is not None else stored_header
        if stored_header is None:
            self._introduce()
        elif header is None:
            self._head = msgspec.json.encode(stored_header)
        meta = self.header.meta if self.header is not None else None
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
                if isinstance(body, bytes) and crc == check_sum(token, body):
                    return body
                self._give_up()
            raw = body_of(self._whole().members, kind, token)
            if raw is not None:
                self._bodies[kind, token] = raw
                self._new["body"].append((kind, token, check_sum(token, raw), raw))
            return raw

    def has(self, kind: MemberKind, token: str) -> bool:
        """Return whether the schema contains exactly this token."""
        with self._lock:
            if (kind, token) in self._bodies or self._row("SELECT 1 FROM body WHERE kind=? AND token=?", kind, token):
                return True
            if self._listed(kind):
                if self._row("SELECT 1 FROM name WHERE kind = ? AND token = ?", kind, token) is not None:
                    return True
                if self._sound_names(kind):
                    return False
            return token in section_of(self._whole().members, kind)

    def tokens(self, kind: MemberKind) -> Sequence[str]:
        """Return all tokens of a section."""
        with self._lock:
            if self._sound_names(kind):
                rows = self._all("SELECT token FROM name WHERE kind = ? ORDER BY place", kind)
                return tuple([str(token) for (token,) in rows])
            return self._table(kind).tokens()

    def by_canonical(self, kind: MemberKind, form: str) -> str | None:
        """Return the first token with this canonical form."""
        query = "SELECT token FROM name WHERE kind = ? AND canonical = ? ORDER BY place LIMIT 1"
        with self._lock:
            if self._listed(kind):
                row = self._row(query, kind, form)
                if row is not None or self._sound_names(kind):
                    return str(row[0]) if row is not None else None
            return self._table(kind).by_canonical(form)

    def by_former(self, name: str) -> str | None:
        """Return the only resource with the former name `name`."""
        with self._lock:
            if "former" in self._about:
                row = self._row("SELECT token FROM former WHERE name = ?", name)
                if "former" in self._about:
                    return str(row[0]) if row is not None else None
            token = self._table(MemberKind.RESOURCE).by_former(name)
            if not any(key == "former" for key, _ in self._new["about"]):
                former = former_names(self._whole().aliases(), self._module_of)
                self._new["former"] = sorted(former.items())
                self._new["about"].append(("former", b""))
            return token

    def aliases(self) -> Iterable[tuple[str, str]]:
        """Return all former names, with the present resource."""
        return self._whole().aliases()

    def flush(self) -> None:
        """Write new members. Failures are harmless, since members can be found again."""
        with self._lock:
            if not any(self._new.values()):
                return
            with suppress(OSError, sqlite3.Error):
                self._write()
            for rows in self._new.values():
                rows.clear()
            self._broken = False
            self.close()
            self._connection = self._open()
            self._known_header()

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _introduce(self) -> None:
        """Make the next `flush` write the beginning of every file."""
        self._new["about"] = [("edition", EDITION.encode()), ("header", self._head)] if self._head else []

    def _write(self) -> None:
        if self._broken:
            self.path.unlink(missing_ok=True)
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        try:
            # Damage from a crash of the machine is detected, and the data is recovered again.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            for table, rows in self._new.items():
                if rows:
                    marks = ", ".join("?" * len(rows[0]))
                    connection.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def _open(self) -> ReadOnlyFile | None:
        try:
            return ReadOnlyFile(self.path, patience=_PATIENCE)
        except sqlite3.Error:
            return None

    def _known_header(self) -> Header | None:
        rows = {str(key): value for key, value in self._all("SELECT key, value FROM about")}
        head = rows.get("header")
        if rows and (rows.get("edition") != EDITION.encode() or not isinstance(head, bytes)):
            self._give_up()
            return None
        try:
            header = msgspec.json.decode(head, type=Header) if isinstance(head, bytes) else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._give_up()
            return None
        self._about = {key: value for key, value in rows.items() if isinstance(value, bytes)}
        return header

    def _give_up(self) -> None:
        """Answer without the damaged file, and replace it at the end."""
        self.close()
        self._broken = True
        self._about = {}
        self._tables.clear()
        self._new["name"] = []
        self._introduce()
        self._new["body"] = [(kind, token, check_sum(token, body), body) for (kind, token), body in self._bodies.items()]

    def _listed(self, kind: MemberKind) -> bool:
        return f"listed{int(kind)}" in self._about

    def _sound_names(self, kind: MemberKind) -> bool:
        """Return whether the file has an undamaged list of a section; checked before any lookup fails."""
        if self._listed(kind) and kind not in self._sound:
            rows = self._all("SELECT token, canonical FROM name WHERE kind = ? ORDER BY place", kind)
            if self._about.get(f"listed{int(kind)}") == _sum_of(rows):
                self._sound.add(kind)
            else:
                self._give_up()
        return self._listed(kind)

    def _table(self, kind: MemberKind) -> MemoryTable:
        """Return a section in memory, until the file lists it."""
        table = self._tables.get(kind)
        if table is None:
            document = self._whole()
            tokens = dict.fromkeys(section_of(document.members, kind))
            aliases = document.aliases if kind is MemberKind.RESOURCE else None
            table = self._tables[kind] = MemoryTable(tokens, self._module_of, aliases)
            rows = [(token, canonical_token(token, self._module_of)) for token in tokens]
            self._new["name"] += [(kind, place, *row) for place, row in enumerate(rows)]
            self._new["about"].append((f"listed{int(kind)}", _sum_of(rows)))
        return table

    def _whole(self) -> Document:
        if self._document is None:
            self._document = self._live()
        return self._document

    def _row(self, query: str, *values: object) -> tuple[object, ...] | None:
        rows = self._all(query, *values)
        return rows[0] if rows else None

    def _all(self, query: str, *values: object) -> list[tuple[object, ...]]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except (sqlite3.Error, OverflowError, UnicodeDecodeError):
            self._give_up()
            return []


def _sum_of(rows: Sequence[Sequence[object]]) -> bytes:
    """Return the check sum of the names of a section."""
    return b"%d" % zlib.crc32("\n".join(f"{token} {canonical}" for token, canonical in rows).encode())


class _Section(StoredSection):
    """One section of the known part of a schema."""

    __slots__ = ("_kind", "_partial")

    def __init__(self, partial: Partial, kind: MemberKind) -> None:
        self._partial = partial
        self._kind = kind

    def body(self, token: str) -> bytes | None:
        """JSON of a member."""
        return self._partial.body(self._kind, token)

    def tokens(self) -> Sequence[str]:
        """All tokens."""
        return self._partial.tokens(self._kind)

    def has(self, token: str) -> bool:
        """Return whether the schema has a member of that name."""
        return self._partial.has(self._kind, token)

    def by_canonical(self, form: str) -> str | None:
        """The first token with this canonical form."""
        return self._partial.by_canonical(self._kind, form)

    def by_former(self, name: str) -> str | None:
        """The one resource that was once called `name`."""
        return self._partial.by_former(name) if self._kind is MemberKind.RESOURCE else None
