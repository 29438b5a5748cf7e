"""Members of a schema in an index on disk.

If the index turns out to be damaged during a run, the whole schema replaces it from then on.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TypeVar

from msgspec import Raw

from pclgen.schema.document import ABSENT, Document, Members
from pclgen.schema.index import DamagedError, Index, MemberKind
from pclgen.schema.tokens import MemoryTable, module_finder

_T = TypeVar("_T")


class _IndexOrDocument:
    """An index while it is good, then the document that `again` gives (it raises `SchemaError` when it cannot)."""

    def __init__(self, index: Index, again: Callable[[], Document]) -> None:
        self._index: Index | None = index
        self._again = again
        self._document: Document | None = None
        self._tables: dict[MemberKind, MemoryTable] = {}
        self._lock = Lock()

    def ask(self, question: Callable[[Index], _T], otherwise: Callable[[Document], _T]) -> _T:
        index = self._index
        if index is not None:
            try:
                return question(index)
            except DamagedError:
                with self._lock:
                    if self._document is None:
                        index.close()
                        self._document = self._again()
                    self._index = None
        assert self._document is not None
        return otherwise(self._document)

    def table(self, kind: MemberKind, document: Document) -> MemoryTable:
        """Return the look-ups of a section of the whole document."""
        with self._lock:
            cached = self._tables.get(kind)
            if cached is None:
                meta = document.header.meta
                module_of = module_finder(meta.module_format if meta is not None else "")
                aliases = document.aliases if kind is MemberKind.RESOURCE else None
                cached = self._tables[kind] = MemoryTable(section_of(document.members, kind), module_of, aliases)
            return cached


class StoredSection(Mapping[str, Raw]):
    """One section of a schema that is looked up on disk: members by token. Subclasses implement `TokenTable`."""

    __slots__ = ()

    @abstractmethod
    def body(self, token: str) -> bytes | None:
        """JSON of a member."""

    @abstractmethod
    def tokens(self) -> Sequence[str]:
        """All tokens in the order of the schema."""

    @abstractmethod
    def has(self, token: str) -> bool:
        """Return whether the schema writes a token so."""

    def __getitem__(self, token: str) -> Raw:
        body = self.body(token)
        if body is None:
            raise KeyError(token)
        return Raw(body)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tokens())

    def __len__(self) -> int:
        return len(self.tokens())

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and self.has(token)


class _Section(StoredSection):
    """One section of an index."""

    __slots__ = ("_kind", "_shelf")

    def __init__(self, shelf: _IndexOrDocument, kind: MemberKind) -> None:
        self._shelf = shelf
        self._kind = kind

    def body(self, token: str) -> bytes | None:
        """JSON of a member."""
        return self._shelf.ask(
            lambda index: index.body(self._kind, token),
            lambda document: body_of(document.members, self._kind, token),
        )

    def tokens(self) -> Sequence[str]:
        """All tokens in the order of the schema."""
        return self._shelf.ask(
            lambda index: index.tokens(self._kind), lambda document: self._shelf.table(self._kind, document).tokens()
        )

    def has(self, token: str) -> bool:
        """Return whether the schema writes a token so."""
        return self._shelf.ask(
            lambda index: index.has(self._kind, token), lambda document: self._shelf.table(self._kind, document).has(token)
        )

    def by_canonical(self, form: str) -> str | None:
        """The first token with this canonical form."""
        return self._shelf.ask(
            lambda index: index.by_canonical(self._kind, form),
            lambda document: self._shelf.table(self._kind, document).by_canonical(form),
        )

    def by_former(self, name: str) -> str | None:
        """The one resource that was once called `name`."""
        if self._kind is not MemberKind.RESOURCE:
            return None
        return self._shelf.ask(
            lambda index: index.by_former(name),
            lambda document: self._shelf.table(self._kind, document).by_former(name),
        )


def stored_members(index: Index, again: Callable[[], Document]) -> Members:
    """Return the members in `index`; `again` reads the whole schema if the index is damaged."""
    shelf = _IndexOrDocument(index, again)

    def provider() -> Raw:
        body = shelf.ask(
            lambda good: good.body(MemberKind.PROVIDER, ""), lambda document: bytes(document.members.provider())
        )
        return ABSENT if body is None else Raw(body)

    def aliases() -> Iterable[tuple[str, str]]:
        return shelf.ask(lambda good: good.former(), lambda document: list(document.aliases()))

    return Members(
        resources=_Section(shelf, MemberKind.RESOURCE),
        types=_Section(shelf, MemberKind.TYPE),
        functions=_Section(shelf, MemberKind.FUNCTION),
        provider=provider,
        aliases=aliases,
    )


def section_of(members: Members, kind: MemberKind) -> Mapping[str, Raw]:
    """Return a section of members (the provider is not in one)."""
    sections = {
        MemberKind.RESOURCE: members.resources,
        MemberKind.TYPE: members.types,
        MemberKind.FUNCTION: members.functions,
    }
    return sections[kind]


def body_of(members: Members, kind: MemberKind, token: str) -> bytes | None:
    """Return the JSON of one member, or None."""
    if kind is MemberKind.PROVIDER:
        return bytes(members.provider())
    raw = section_of(members, kind).get(token)
    return None if raw is None else bytes(raw)
