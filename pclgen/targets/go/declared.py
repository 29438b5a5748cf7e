"""The types that a program declares: those of component inputs (targets.md, Declared types), and structs for configuration.

Labels (`core.declared`) define names for scalars with an alias, constants for the texts that such a name allows, and the
places where these names and constants replace `string` and a literal. Go has no literal types, so a name is an alias of the
scalar type. pclgen or the running program checks the values.

    type "Size" "'small' | 'large'" {}      type Size = string
                                            const ( SizeSmall Size = "small" … )

An object in a config variable has a struct, which `Natives` knows:

    config network "object({name = string, cidr = string})" {}
        ->  type Network struct {
                Name *string `json:"name" pulumi:"name"`
                Cidr *string `json:"cidr" pulumi:"cidr"`
            }
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.declared import Declared, ListOf, Literals, MapOf, Named, Nullable, Plain, bare, declared, parts
from pclgen.core.expr import Expr, Literal
from pclgen.core.plurals import singular
from pclgen.core.program import Component, ConfigVariable
from pclgen.source.text import split_lines
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import FileContext, Session
from pclgen.targets.go.gotypes import LocalStruct, Map, Native, Pointer, Slice
from pclgen.targets.go.names import type_name
from pclgen.targets.go.spelling import native_type
from pclgen.types import model as ty
from pclgen.types.rules import DESCRIPTION, TITLE, Rule, inner_rule


def declare_types(session: Session, components: Sequence[Component]) -> dict[Named, gt.LocalType]:
    """Return the named types that component inputs use, with their constants, in the order of the labels."""
    types: dict[Named, gt.LocalType] = {}
    for component in components:
        for node in component.program.nodes:
            if isinstance(node, ConfigVariable):
                for form in _named(declared(node.type, node.rule)):
                    if form not in types:
                        local_type = _declare(session, form)
                        types |= {form: local_type} if local_type is not None else {}
    return types


def _named(form: Declared) -> list[Named]:
    inner = [named for part in parts(form) for named in _named(part)]
    return [form, *inner] if isinstance(form, Named) else inner


def _declare(session: Session, form: Named) -> gt.LocalType | None:
    inner = form.form
    if not isinstance(inner, Literals | Plain):
        return None
    native = session.natives.native(inner.base if isinstance(inner, Literals) else inner.type)
    if not isinstance(native, gt.Scalar):
        return None
    name = session.globals.claim(type_name(form.name), f"{type_name(form.name)}Value")
    texts = [value for value in inner.values if isinstance(value, str)] if isinstance(inner, Literals) else []
    constants = tuple((value, session.globals.claim(name + type_name(value or "empty"))) for value in texts)
    return gt.LocalType(name, native, constants, form.doc)


def type_declarations(file: FileContext, types: Sequence[gt.LocalType]) -> list[go.Declaration]:
    """Return the type declarations, each with its constants below it."""
    declarations: list[go.Declaration] = []
    for type_ in types:
        comments = type_.doc or ((f"{type_.name} is one of the constants below.",) if type_.constants else ())
        declarations.append(go.AliasDeclaration(name=type_.name, type=native_type(file, type_.native), comments=comments))
        if type_.constants:
            values = tuple((name, go.Text(value)) for value, name in type_.constants)
            declarations.append(go.ConstantsDeclaration(type=go.Declared(type_.name), values=values))
    return declarations


def written(file: FileContext, native: gt.Native, form: Declared) -> go.Expr:
    """Return the type of an input, with the names from its label."""
    inner = form.inner if isinstance(form, Nullable) else form
    match native, inner:
        case gt.Pointer(), _:
            return go.Star(written(file, native.element, inner))
        case gt.Slice(), _ if isinstance(bare(inner), ListOf):
            return go.SliceType(element=written(file, native.element, parts(bare(inner))[0]))
        case gt.Map(), _ if isinstance(bare(inner), MapOf):
            return go.MapType(element=written(file, native.element, parts(bare(inner))[0]))
        case gt.Scalar(), Named() if inner in file.session.local_types:
            return go.Declared(file.session.local_types[inner].name)
        case _:
            return native_type(file, native)


def with_constant(session: Session, node: go.Expr, value: Expr, form: Declared) -> go.Expr:
    """Replace the text literal in `node` by its constant, if there is one."""
    inner = form.inner if isinstance(form, Nullable) else form
    local = session.local_types.get(inner) if isinstance(inner, Named) else None
    name = dict(local.constants).get(str(value.value)) if local is not None and isinstance(value, Literal) else None
    if name is None:
        return node
    if isinstance(node, go.Text):
        return go.Declared(name)
    if isinstance(node, go.Call) and len(node.arguments) == 1 and isinstance(node.arguments[0], go.Text):
        return replace(node, arguments=(go.Declared(name),))
    return node


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
            return _declare_struct(session, name, t, rule)
        case _:
            return []


def _declare_struct(session: Session, name: str, t: ty.ObjectType, rule: Rule | None) -> list[LocalStruct]:
    if not t.members or t in session.natives.structs or not _fits(t):
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
