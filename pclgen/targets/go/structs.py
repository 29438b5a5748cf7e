"""Structs that the program declares for objects in config variables.

Comes in: the declared types of config variables.  Goes out: struct declarations, and their registration with `Natives`.

    config network "object({name = string, cidr = string})" {}
        ->  type Network struct {
                Name *string `json:"name" pulumi:"name"`
                Cidr *string `json:"cidr" pulumi:"cidr"`
            }
"""

from __future__ import annotations

import re

from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import FileContext, Session
from pclgen.targets.go.gotypes import LocalStruct
from pclgen.targets.go.names import singular, type_name
from pclgen.targets.go.spelling import native_type
from pclgen.types.model import (
    InputType,
    ListType,
    MapType,
    ObjectType,
    OutputType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
)

_TAG = re.compile(r"[\w$./ -]+")


def declare_structs(session: Session, name: str, t: Type) -> list[LocalStruct]:
    """Give every object type inside `t` a struct; inner ones first."""
    match t:
        case ListType() | MapType():
            return declare_structs(session, singular(name) if singular(name) != "item" else name, t.element)
        case UnionType():
            return [s for member in t.members for s in declare_structs(session, name, member)]
        case OutputType() | PromiseType() | InputType():
            return declare_structs(session, name, t.element)
        case TupleType():
            return [s for e in t.elements for s in declare_structs(session, name, e)]
        case ObjectType():
            return _declare(session, name, t)
        case _:
            return []


def _declare(session: Session, name: str, t: ObjectType) -> list[LocalStruct]:
    if not t.members or session.natives.is_declared(t) or not _fits(t):
        return []
    found: list[LocalStruct] = []
    for member, inner in t.members.items():
        found += declare_structs(session, f"{name}-{member}", inner)
    members = tuple((member, session.natives.native(inner)) for member, inner in t.members.items())
    struct = LocalStruct(session.globals.claim(type_name(name), type_name(name) + "Config"), members)
    session.natives.declare(t, struct)
    return [*found, struct]


def _fits(t: ObjectType) -> bool:
    """Whether Go field names and tags can tell the members apart."""
    fields = {type_name(member) for member in t.members}
    return len(fields) == len(t.members) and all(_TAG.fullmatch(member) for member in t.members)


def struct_declaration(file: FileContext, struct: LocalStruct) -> go.StructDeclaration:
    """`type Name struct { … }` with the wire names as tags."""
    fields = tuple(
        go.StructField(
            name=type_name(member),
            type=native_type(file, native),
            tag=quoting.tag(json=member, pulumi=member),
        )
        for member, native in struct.members
    )
    return go.StructDeclaration(name=struct.name, fields=fields)
