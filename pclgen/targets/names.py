"""Names in generated code: case rules of the SDKs, the assignment of unused names, and members that an SDK lacks.

The case helpers are facts about the published SDKs (targets.md, Spelling; Property names; Enum members): a wrong
letter is an attribute that does not exist. `NameTable` assigns each name in a scope once:

    table = NameTable(reserved={"random"})
    table.claim("random", "random_pet")  ->  "random_pet"   (the fallback name is readable)
    table.claim("web")                   ->  "web"
    table.claim("web")                   ->  "web_2"

Two members of an object may have the same name in a language's SDK: `ipAddress` and `ip_address` in Python. If a schema
declares both members, its SDK lacks one of them. `collisions` yields every member but the first of each name, in lenient
mode also members that no schema declares.

With `liftSingleValueMethodReturns`, the SDK also lacks the object that a method returns: it returns the only property of the
object that the schema declares. `lifted_result` names this property.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Final

from msgspec import Struct

from pclgen.core.expr import Literal, ObjectExpr
from pclgen.core.program import ComponentUse, Node, Program, Resource
from pclgen.core.walk import parts_of, programs_of
from pclgen.source.text import Span
from pclgen.types.declarations import FunctionDecl, Shape
from pclgen.types.model import NominalType, resolve, without_none

_SHORT_MEMBERS: Final = {
    "*": "Asterisk",
    "0": "Zero",
    "1": "One",
    "2": "Two",
    "3": "Three",
    "4": "Four",
    "5": "Five",
    "6": "Six",
    "7": "Seven",
    "8": "Eight",
    "9": "Nine",
}

# Published under these names before the rule for a plural "s" existed (targets.md, Property names).
_OLD_PYTHON_NAMES: Final = {
    "openXJsonSerDe": "open_x_json_ser_de",
    "GetPublicIPs": "get_public_i_ps",
    "GetUptimeCheckIPs": "get_uptime_check_i_ps",
}


def uppercase_first(name: str) -> str:
    """Return `name` with its first character in upper case."""
    return name[:1].upper() + name[1:]


def lowercase_first(name: str) -> str:
    """Return `name` with its first character in lower case."""
    return name[:1].lower() + name[1:]


def unhyphenate(name: str) -> str:
    """Return `name` without hyphens and with each following character in upper case: `abc-def` -> `abcDef`."""
    first, *rest = name.split("-")
    return first + "".join(uppercase_first(part) for part in rest)


def camel(name: str) -> str:
    """Return `name` without hyphens and with its leading run of non-lowercase characters in lower case.

    `HTTPGet` -> `httpget`, `GetABC` -> `getABC`, `ABC` -> `abc`.
    """
    text = unhyphenate(name)
    run = 0
    while run < len(text) and not text[run].islower():
        run += 1
    return text[:run].lower() + text[run:]


@lru_cache(maxsize=4096)
def title(name: str) -> str:
    """Return the exported name in the Go SDKs: no leading `$`, no hyphens, initial capital (targets.md, Spelling)."""
    text = unhyphenate(uppercase_first(name.removeprefix("$")))
    return identifier(text, inside_go_identifier)


def without_file(module: str, name: str) -> str:
    """Return `module` without the file of the member `name`, which is no module of an SDK: `s3/bucket`, `Bucket` -> `s3`."""
    head, _, tail = module.rpartition("/")
    return head if tail.lower() == name.lower() else module


def split_token(token: str) -> tuple[str, str, str]:
    """Return package, module and name of a token without a schema: `index/bucket:Bucket` is `Bucket` of the root module."""
    package, *middle = token.split(":")
    name = middle.pop() if middle else package
    module = without_file(middle[0], name) if middle else ""
    return package, "" if module == "index" else module, name


def expand_short_member(name: str) -> str:
    """Return a name for an enum member of one character that is not an identifier (`*` -> `Asterisk`), otherwise `name`."""
    return _SHORT_MEMBERS.get(name, name)


@lru_cache(maxsize=4096)
def snake(name: str) -> str:
    """Return the Python SDKs' snake case of `name` (targets.md, Spelling) without the keyword rule.

    `ipv4Address` -> `ipv4_address`, `HTTPServer` -> `http_server`, `IPs` -> `ips`, `SHA256Hash` ->
    `sha256_hash`.
    Characters that identifiers cannot contain become `_`.
    """
    old = _OLD_PYTHON_NAMES.get(name)
    if old is not None:
        return old
    words: list[str] = []
    start = 0
    for at in range(1, len(name)):
        if _starts_word(name, at):
            words.append(name[start:at])
            start = at
    words.append(name[start:])
    return identifier("_".join(words).lower())


def _starts_word(name: str, at: int) -> bool:
    """Return whether a snake-case word begins at `at`."""
    before, here = name[at - 1], name[at]
    if not here.isupper():
        return False
    if not before.isupper():
        return before.isalnum()
    # The last capital of a run opens the next word unless a digit or a plural `s` continues the run
    # (nor ends the name): also before a hyphen, `GB-INTEL` -> `g_b_intel`.
    after = name[at + 1 : at + 2]
    return bool(after) and not after.isupper() and not after.isdigit() and after != "s"


def inside_go_identifier(c: str) -> bool:
    """Return whether a Go name can contain `c` after its first character."""
    return c.isalpha() or c == "_" or c.isdecimal()


def identifier(name: str, rest: Callable[[str], bool] | None = None) -> str:
    """Return `name` with `_` for each illegal character, and a leading `_` if its first character cannot start a name.

    `rest` accepts the characters inside an identifier. The default accepts Python's, and also normalizes the name to NFKC,
    as Python does when it compares names.
    """
    if rest is None:
        name = unicodedata.normalize("NFKC", name)
        rest = _inside_python_identifier
    if not (name.isascii() and name.isidentifier()):
        name = "".join(c if rest(c) else "_" for c in name)
    return name if name[:1].isalpha() or name.startswith(("_", "$")) else "_" + name


def _inside_python_identifier(c: str) -> bool:
    return ("a" + c).isidentifier()


_DEVICES: Final = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
_LONGEST_FILE: Final = 80


def file_stem(name: str) -> str:
    """Return a file name without extension for `name`, valid in every file system: letters, digits, `_`, `-`.

    Other characters become `_`. The result is not hidden (`.x`), ignored by a compiler (`_x`), a device name, or too long.
    """
    text = "".join(c if c in "_-" or c.isalnum() else "_" for c in unicodedata.normalize("NFKC", name))
    text = text.lstrip("_-")[:_LONGEST_FILE] or "component"
    return f"{text}_component" if _DEVICES.fullmatch(text) else text


class FileNames:
    """The names of files in one folder, unique without regard to case, as some file systems require."""

    def __init__(self, *reserved: str) -> None:
        self._taken = {name.casefold() for name in reserved}

    def claim(self, *candidates: str) -> str:
        """Return the first free name of `candidates`, otherwise the last with a number."""
        numbered = (f"{candidates[-1]}_{number}" for number in count(2))
        name = next(name for name in chain(candidates, numbered) if name.casefold() not in self._taken)
        self._taken.add(name.casefold())
        return name


class NameTable:
    """The names of one scope; a child scope never shadows a name of its parents."""

    def __init__(
        self, reserved: Iterable[str] = (), *, parent: NameTable | None = None, separator: str = "_"
    ) -> None:
        self._taken = set(reserved)
        self._next: dict[str, int] = {}
        self._parent = parent
        self._separator = separator

    def child(self, reserved: Iterable[str] = ()) -> NameTable:
        """Return a scope inside this scope."""
        return NameTable(reserved, parent=self, separator=self._separator)

    def is_taken(self, name: str) -> bool:
        """Return whether `name` is taken in this scope or an enclosing scope."""
        table: NameTable | None = self
        while table is not None:
            if name in table._taken:
                return True
            table = table._parent
        return False

    def reserve(self, *names: str) -> None:
        """Take `names` unchanged, even if they are already taken."""
        self._taken.update(names)

    def claim(self, *candidates: str) -> str:
        """Take and return the first free name of `candidates`, otherwise the first candidate with a number."""
        for name in candidates:
            if not self.is_taken(name):
                return self._give(name)
        base = candidates[0]
        # A second `web1` must not become `web12`.
        separator = "" if base.endswith("_") else self._separator or ("_" if base[-1:].isdigit() else "")
        number = self._next.get(base, 2)
        while self.is_taken(name := f"{base}{separator}{number}"):
            number += 1
        self._next[base] = number + 1
        return self._give(name)

    def _give(self, name: str) -> str:
        self._taken.add(name)
        return name


# -- members that share a name ----------------------------------------------------------------------------------------------

Members = Sequence[tuple[str, Span]]


class Collision(Struct, frozen=True, kw_only=True):
    """The member `name` at `span` and the member `other` are both written `spelled` in `language`."""

    language: str
    name: str
    other: str
    spelled: str
    span: Span


def collisions(program: Program, spellings: Mapping[str, Callable[[str], str]]) -> Iterator[Collision]:
    """Yield the collisions in a program and its components; one walk covers all languages."""
    without_clashes: set[tuple[str, ...]] = set()  # most objects have the same members as another object
    for body in programs_of(program):
        for node in body.nodes:
            for members in _objects(node):
                names = tuple(name for name, _ in members)
                if names in without_clashes:
                    continue
                clashes = [c for language, spelled in spellings.items() for c in _among(members, language, spelled)]
                yield from clashes
                if not clashes:
                    without_clashes.add(names)


def _objects(node: Node) -> Iterator[Members]:
    """Yield the members of each package object in a node; for PCL components, pclgen chooses the names itself."""
    if isinstance(node, Resource) or (isinstance(node, ComponentUse) and node.component is None):
        yield [(item.name, item.span) for item in node.inputs]
    for part in parts_of((node,)):
        if type(part) is ObjectExpr and isinstance(without_none(resolve(part.type)), NominalType):
            yield [(str(item.key.value), item.span) for item in part.items if isinstance(item.key, Literal)]


def _among(members: Members, language: str, spelled: Callable[[str], str]) -> Iterator[Collision]:
    first: dict[str, str] = {}
    for name, span in members:
        text = spelled(name)
        other = first.setdefault(text, name)
        if other != name:
            yield Collision(language=language, name=name, other=other, spelled=text, span=span)


# -- results of methods -----------------------------------------------------------------------------------------------------

def lifted_result(method: FunctionDecl, language: str) -> str | None:
    """Return the only property of the result if the SDK of `language` (the name in schemas) returns its value."""
    if method.package is None or not isinstance(method.result, NominalType):
        return None
    if method.package.language.get(language, {}).get("liftSingleValueMethodReturns") is not True:
        return None
    members = list(method.result.declaration.fields(Shape.OUTPUT))
    return members[0] if len(members) == 1 else None
