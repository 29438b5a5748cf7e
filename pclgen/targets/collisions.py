"""Members of an object that share a name in a language's SDK: `ipAddress` and `ip_address` in Python.

If a schema declares both members, its SDK lacks one of them. `collisions` yields every member but the first of each name, in
lenient mode also members that no schema declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from pclgen.core.expr import Literal, ObjectExpr
from pclgen.core.program import ComponentUse, Node, Program, Resource
from pclgen.core.walk import parts_of, programs_of
from pclgen.source.text import Span
from pclgen.types.model import NominalType, resolve, without_none

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
