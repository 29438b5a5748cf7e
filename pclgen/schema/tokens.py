"""Tokens of resource types and functions, as programs and schemas write them (language.md, Packages and tokens; Lookup).

`TokenIndex` finds the schema's token for a written one, by canonical forms:

    aws:s3/bucket:Bucket, aws:s3:Bucket     same canonical form aws:s3:Bucket  (module format "(.*)(?:/[^/]*)")
    random:RandomId, random::RandomId, random:index:RandomId           same canonical form random::RandomId
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Protocol, runtime_checkable

from msgspec import Struct

from pclgen.diagnostics.suggest import suggest
from pclgen.schema.grammar import is_member, is_module, is_package

INDEX = "index"


class Token(Struct, frozen=True, kw_only=True):
    """A parsed token; a two-part token, and an empty middle, have the module `index`.

    `package` is the package with its schema: `aws` for `pulumi:providers:aws`.
    """

    text: str
    head: str
    module: str
    member: str

    @property
    def is_provider(self) -> bool:
        """Whether it is the token of a provider resource: `pulumi:providers:x`."""
        return self.head == "pulumi" and self.module == "providers"

    @property
    def package(self) -> str:
        """The name of the package that declares it."""
        return self.member if self.is_provider else self.head


class TokenError(Struct, frozen=True, kw_only=True):
    """A text that is not a token; `reason` describes the form of a token, or the invalid part."""

    text: str
    reason: str


def parse_token(text: str) -> Token | TokenError:
    """Parse a written token: `package:module:Member`, `package:Member` or `package::Member`."""
    parts = text.split(":")
    if len(parts) == 2:
        parts.insert(1, INDEX)
    if len(parts) != 3:
        count = "one part" if len(parts) == 1 else f"{len(parts)} parts"
        return TokenError(text=text, reason=f"it has {count}; two or three are needed")
    head, module, member = parts
    for part, part_name in ((head, "package"), (member, "member")):
        if not part:
            return TokenError(text=text, reason=f"its {part_name} name is empty")
    if any(char.isspace() for char in text):
        return TokenError(text=text, reason="it contains a space")
    for part, part_name, holds in (
        (head, "package", is_package),
        (module, "module", is_module),
        (member, "member", is_package if module == "providers" and head == "pulumi" else is_member),
    ):
        if not holds(part):
            at = next(at for at in range(len(part)) if not holds(part[: at + 1]))
            code = "" if part[at].isascii() else f" (U+{ord(part[at]):04X})"
            reason = f"its {part_name} name cannot {'contain' if at else 'begin with'} `{part[at]}`{code}"
            return TokenError(text=text, reason=reason)
    return Token(text=text, head=head, module=module or INDEX, member=member)


_REPEATED = re.compile(r"(?<!\()[*+?{][?+]?")
_COSTLY = re.compile(r"\)[*+{]|\\[1-9]|\(\?[^:P]|\(\?P[^<]")
_LONGEST_MODULE = 100
_LONGEST_FORMAT = 100


def _is_cheap(pattern: str) -> bool:
    """Return whether matching takes bounded time on any module name: few repetitions, not nested, no backreferences, no
    lookaround."""
    few = len(_REPEATED.findall(pattern)) <= 2 and pattern.count("|") <= 4
    return few and len(pattern) <= _LONGEST_FORMAT and _COSTLY.search(pattern) is None


def module_finder(module_format: str) -> Callable[[str], str]:
    """Return the function from tokens to canonical modules for a `meta.moduleFormat` ("" is the default, language.md,
    Lookup).

    Raises `ValueError` if the format is not a regular expression with a group, or may take very long.
    """
    if not _is_cheap(module_format):
        raise ValueError("`meta.moduleFormat` could take very long to match: write it like `(.*)(?:/[^/]*)`")
    try:
        pattern = re.compile(module_format or "(.*)")
    except re.error as error:
        raise ValueError(f"`meta.moduleFormat` is not a regular expression: {error}") from error
    if not pattern.groups:
        raise ValueError("`meta.moduleFormat` has no group")

    @lru_cache(maxsize=4096)
    def module_of(token: str) -> str:
        parts = token.split(":")
        if len(parts) < 3 or (parts[0] == "pulumi" and parts[1] in ("pulumi", "providers")):
            return ""
        match = pattern.search(parts[1]) if len(parts[1]) <= _LONGEST_MODULE else None
        module = (match[1] if match is not None else None) or ""
        return "" if module == INDEX else module

    return module_of


def canonical_token(token: str, module_of: Callable[[str], str]) -> str:
    """Return the canonical form `package:module:member` of a schema token; the root module is empty."""
    parts = token.split(":")
    return f"{parts[0]}:{module_of(token)}:{parts[-1]}"


@runtime_checkable
class TokenTable(Protocol):
    """A lookup table of tokens of one kind of members. Canonical forms are those of `canonical_token`."""

    def tokens(self) -> Sequence[str]:
        """Return all tokens in schema order, as written in the schema."""
        ...

    def has(self, token: str) -> bool:
        """Return whether the schema contains exactly this token."""
        ...

    def by_canonical(self, form: str) -> str | None:
        """Return the first token of the schema with this canonical form."""
        ...

    def by_former(self, name: str) -> str | None:
        """Return the only token with the former name `name` (as written, or its canonical form), or None."""
        ...


class MemoryTable:
    """A `TokenTable` in memory.

    The canonical table is built on first use, and the table of former names only if all else fails. If two tokens share a
    canonical form, the first of the schema wins; if two share a former name, it is dropped (language.md, Lookup).
    """

    __slots__ = ("_aliases", "_by_canonical", "_by_former", "_module_of", "_tokens")

    def __init__(
        self,
        tokens: Collection[str],
        module_of: Callable[[str], str],
        aliases: Callable[[], Iterable[tuple[str, str]]] | None = None,
    ) -> None:
        self._tokens = tokens
        self._module_of = module_of
        self._aliases = aliases
        self._by_canonical: dict[str, str] | None = None
        self._by_former: dict[str, str] | None = None

    def tokens(self) -> Sequence[str]:
        """All tokens in the order of the schema."""
        return tuple(self._tokens)

    def has(self, token: str) -> bool:
        """Return whether the schema writes a token so."""
        return token in self._tokens

    def by_canonical(self, form: str) -> str | None:
        """The first token with this canonical form."""
        if self._by_canonical is None:
            table: dict[str, str] = {}
            for token in self._tokens:
                table.setdefault(canonical_token(token, self._module_of), token)
            self._by_canonical = table
        return self._by_canonical.get(form)

    def by_former(self, name: str) -> str | None:
        """The one token that was once called `name`."""
        if self._by_former is None:
            self._by_former = former_names(self._aliases() if self._aliases is not None else (), self._module_of)
        return self._by_former.get(name)


def former_names(aliases: Iterable[tuple[str, str]], module_of: Callable[[str], str]) -> dict[str, str]:
    """Return former names, as written and canonical, with the present token; ambiguous ones are omitted."""
    table: dict[str, str] = {}
    ambiguous: set[str] = set()
    for former, token in aliases:
        for key in (former, canonical_token(former, module_of)):
            if table.setdefault(key, token) != token:
                ambiguous.add(key)
    for key in ambiguous:
        del table[key]
    return table


class TokenIndex:
    """Finds schema tokens by written ones: exact, canonical, by canonical form, by former name.

    A canonical token is looked up before its own canonical form, since module formats need not match their own results
    (`s3` from `s3/bucket`).
    """

    __slots__ = ("_canonical", "_module_of", "_table")

    def __init__(self, table: TokenTable, module_of: Callable[[str], str]) -> None:
        self._table = table
        self._module_of = module_of
        self._canonical: tuple[str, ...] | None = None

    def find(self, written: str) -> str | None:
        """Return the schema token of `written`, or None."""
        return self.find_current(written) or self.find_former(written)

    def find_current(self, written: str) -> str | None:
        """Do the same without former names."""
        if self._table.has(written):
            return written
        for form in self._forms(written):
            match = self._table.by_canonical(form)
            if match is not None:
                return match
        return None

    def find_former(self, written: str) -> str | None:
        """Return the only token with the former name `written`, or None."""
        for form in (written, *self._forms(written)):
            match = self._table.by_former(form)
            if match is not None:
                return match
        return None

    def nearest(self, written: str) -> str | None:
        """Return the token that `written` was likely meant to be, in its shortest form.

        A member of the same name in another module comes first, then a similar member of the same module, then any
        similar token.
        """
        token = parse_token(written)
        if isinstance(token, TokenError):
            return suggest(written, self.spellings())
        folded = token.member.casefold()
        homes = {form.rpartition(":")[0] for form in self._forms(written)}
        same_member: list[str] = []
        neighbours: dict[str, str] = {}
        for form in self._canonical_forms():
            home, _, member = form.rpartition(":")
            if member.casefold() == folded:
                same_member.append(_spelled(form))
            if home in homes:
                neighbours[member] = _spelled(form)
        if same_member:
            return suggest(written, same_member) or min(same_member, key=lambda s: (len(s), s))
        similar = suggest(token.member, neighbours)
        return neighbours[similar] if similar is not None else suggest(written, self.spellings())

    def spelling(self, token: str) -> str:
        """Return a schema token as users write it: `pkg:module:Member`, or `pkg:Member` in the root module."""
        return _spelled(canonical_token(token, self._module_of))

    def spellings(self) -> list[str]:
        """Return all tokens as users write them."""
        return [_spelled(form) for form in self._canonical_forms()]

    def _forms(self, written: str) -> tuple[str, ...]:
        """Return the possible canonical forms of `written`: itself, and its form by the module format."""
        head, _, rest = written.partition(":")
        module, _, member = rest.rpartition(":")
        itself = f"{head}:{'' if module == INDEX else module}:{member}"
        canonical = canonical_token(written, self._module_of)
        return (itself,) if canonical == itself else (itself, canonical)

    def _canonical_forms(self) -> tuple[str, ...]:
        if self._canonical is None:
            self._canonical = tuple(dict.fromkeys(canonical_token(t, self._module_of) for t in self._table.tokens()))
        return self._canonical


def _spelled(canonical: str) -> str:
    head, module, member = canonical.split(":", 2)
    return f"{head}:{module}:{member}" if module else f"{head}:{member}"
