"""Structs that the program declares for objects in config variables.

`Natives` knows the declared structs.

    config network "object({name = string, cidr = string})" {}
        ->  type Network struct {
                Name *string `json:"name" pulumi:"name"`
                Cidr *string `json:"cidr" pulumi:"cidr"`
            }
"""

from __future__ import annotations

import re

from pclgen.core.declared import declared
from pclgen.core.plurals import singular
from pclgen.source.text import split_lines
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import FileContext, Session
from pclgen.targets.go.declared import written
from pclgen.targets.go.gotypes import LocalStruct, Map, Native, Pointer, Slice
from pclgen.targets.go.names import type_name
from pclgen.types import model as ty
from pclgen.types.rules import DESCRIPTION, TITLE, Rule, inner_rule

_TAG = re.compile(r"[\w$./ -]+")


def declare_structs(session: Session, name: str, t: ty.Type, rule: Rule | None) -> list[LocalStruct]:
    """Declare a struct for each object type inside `t`, named after the alias in `rule`; inner structs come first."""
    title = rule.get(TITLE) if rule is not None else None
    name = title if isinstance(title, str) else name
    match t:
        case ty.ListType() | ty.MapType():
            inner = inner_rule(rule or {}, 0 if isinstance(t, ty.ListType) else "")
            return declare_structs(session, singular(name) or name, t.element, inner)
        case ty.UnionType():
            return [s for member in t.members for s in declare_structs(session, name, member, rule)]
        case ty.OutputType() | ty.PromiseType() | ty.InputType():
            return declare_structs(session, name, t.element, rule)
        case ty.TupleType():
            return [s for e in t.elements for s in declare_structs(session, name, e, None)]
        case ty.ObjectType():
            return _declare(session, name, t, rule)
        case _:
            return []


def _declare(session: Session, name: str, t: ty.ObjectType, rule: Rule | None) -> list[LocalStruct]:
    if not t.members or session.natives.is_declared(t) or not _fits(t):
        return []
    structs: list[LocalStruct] = []
    for member, inner in t.members.items():
        structs += declare_structs(session, f"{name}-{member}", inner, inner_rule(rule or {}, member))
    members = tuple((member, _member(session, inner)) for member, inner in t.members.items())
    description = rule.get(DESCRIPTION) if rule is not None and rule.get(TITLE) == name else None
    doc = tuple(split_lines(description)) if isinstance(description, str) else ()
    forms = tuple(declared(inner, inner_rule(rule or {}, member)) for member, inner in t.members.items())
    struct = LocalStruct(session.globals.claim(type_name(name), type_name(name) + "Config"), members, forms, doc)
    session.natives.declare(t, struct)
    return [*structs, struct]


def _member(session: Session, t: ty.Type) -> Native:
    """Return the type of a member; optional lists and maps are pointers, because the SDK treats nil as empty."""
    native = session.natives.native(t)
    return Pointer(native) if ty.is_optional(t) and isinstance(native, Slice | Map) else native


def _fits(t: ty.ObjectType) -> bool:
    """Return whether Go field names and tags can distinguish the members."""
    fields = {type_name(member) for member in t.members}
    return len(fields) == len(t.members) and all(_TAG.fullmatch(member) for member in t.members)


def struct_declaration(file: FileContext, struct: LocalStruct) -> go.StructDeclaration:
    """Return `type Name struct { … }` with the wire names as tags."""
    fields = tuple(
        go.StructField(
            name=type_name(member),
            type=written(file, native, form),
            tag=quoting.tag(json=member, pulumi=member),
        )
        for (member, native), form in zip(struct.members, struct.forms, strict=True)
    )
    return go.StructDeclaration(name=struct.name, fields=fields, comments=struct.doc)
