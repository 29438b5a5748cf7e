"""Types in the code of a file: which one an expression has, how Go writes it, and which ones the program declares.

A type expression registers its imports. This module also has zero values and constants.

The type of an expression determines its `GoType`, its natural representation. A list or map that contains outputs is a
literal of the SDK (`pulumi.StringArray`), which a resource accepts unchanged. An object that contains outputs is a
`map[string]any`, also in a list or a map, because it is known which of its members are outputs.

A program declares the types of component inputs (targets.md, Declared types), and structs for configuration. Labels
(`core.declared`) define names for scalars with an alias, constants for the texts that such a name allows, and the places
where these names and constants replace `string` and a literal. Go has no literal types, so a name is an alias of the scalar
type. pclgen or the running program checks the values.

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
from typing import assert_never

from msgspec.structs import replace

from pclgen.core.declared import Declared, ListOf, Literals, MapOf, Named, Nullable, Plain, bare, declared, parts
from pclgen.core.expr import Expr, Literal
from pclgen.core.plurals import singular
from pclgen.core.program import Component, ConfigVariable
from pclgen.source.text import split_lines
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import Block, FileContext, Session
from pclgen.targets.go.gotypes import LocalStruct, Map, Native, Pointer, Slice
from pclgen.targets.go.names import type_name
from pclgen.targets.go.sdk import Symbol, member_of_token, sdk_of
from pclgen.types import model as ty
from pclgen.types.convert import element_type, unify
from pclgen.types.declarations import ResourceDecl
from pclgen.types.rules import DESCRIPTION, TITLE, Rule, inner_rule

_SCALAR_NAMES = {gt.Kind.STRING: "string", gt.Kind.INT: "int", gt.Kind.FLOAT: "float64", gt.Kind.BOOL: "bool"}


def symbol_expr(file: FileContext, symbol: Symbol, suffix: str = "") -> go.Qualified:
    """Return a name of an SDK."""
    return file.qualified(symbol.path, symbol.name + suffix)


def native_type(file: FileContext, native: gt.Native, *, arguments: bool = False) -> go.Expr:
    """Return the native type; `arguments` writes structs as inside input-shaped structs."""
    match native:
        case gt.Scalar():
            name = _SCALAR_NAMES.get(native.kind)
            return go.Builtin(name=name) if name is not None else file.pulumi(native.kind)
        case gt.AnyNative() | gt.Nil():
            return make.ANY
        case gt.EnumNative():
            return symbol_expr(file, sdk_of(native.declaration.package).type(native.declaration.token))
        case gt.PackageStruct():
            return symbol_expr(file, gt.struct_symbol(native.declaration), "Args" if arguments else "")
        case gt.LocalStruct():
            return go.Declared(native.name)
        case gt.ResourceNative():
            return _resource_type(file, native)
        case gt.Pointer():
            return go.Star(native_type(file, native.element, arguments=arguments))
        case gt.Single():
            return native_type(file, native.element, arguments=arguments)
        case gt.Held():
            return type_expr(file, native.type)
        case gt.Slice():
            return go.SliceType(element=native_type(file, native.element, arguments=arguments))
        case gt.Map():
            return go.MapType(element=native_type(file, native.element, arguments=arguments))
        case _:
            assert_never(native)


def _resource_type(file: FileContext, native: gt.ResourceNative) -> go.Expr:
    if native.name:
        return go.Star(go.Declared(native.name))
    if native.declaration is None:
        return file.pulumi(native.interface)
    return go.Star(resource_symbol(file, native.declaration))


def resource_symbol(file: FileContext, declaration: ResourceDecl, prefix: str = "", suffix: str = "") -> go.Expr:
    """Return the struct type of a package's resource, or another name of the SDK that derives from it."""
    if declaration.package.name == "pulumi":
        return file.pulumi(prefix + member_of_token(declaration.token) + suffix)
    symbol = sdk_of(declaration.package).resource(declaration)
    return file.qualified(symbol.path, prefix + symbol.name + suffix)


def type_expr(file: FileContext, t: gt.GoType) -> go.Expr:
    """Return the static type of values of `t`."""
    if t.form is gt.Form.PLAIN:
        return native_type(file, t.native, arguments=t.arguments)
    type_family = gt.family(t.native)
    if t.form is gt.Form.OUTPUT:
        if type_family is None or t.erased:
            return file.pulumi("AnyOutput")
        return file.qualified(type_family.path, (type_family.name or "Any") + "Output")
    if type_family is None:
        return file.pulumi("Input")
    return file.qualified(type_family.path, type_family.name + ("Input" if t.form is gt.Form.INPUT else ""))


def base_name(native: gt.Native) -> str:
    """Return the base name of conversion methods such as `ToStringArrayOutput`: `StringArray` for a list of texts."""
    type_family = gt.family(native)
    return type_family.name if type_family is not None else ""


def zero(file: FileContext, native: gt.Native) -> go.Expr:
    """Return the zero value of a native type."""
    match native:
        case gt.Single():
            return zero(file, native.element)
        case gt.EnumNative():
            return zero(file, gt.enum_base(native))
        case gt.PackageStruct() | gt.LocalStruct():
            return make.struct(native_type(file, native), {})
        case gt.Scalar() if native not in gt.ASSETS:
            return make.FALSE if native == gt.BOOL else make.number(0) if native in gt.NUMBERS else go.Text("")
        case _:
            return make.NIL


def zero_of(file: FileContext, t: gt.GoType) -> go.Expr:
    """Return the zero value of a type in any form."""
    if t.form is gt.Form.PLAIN:
        return zero(file, t.native)
    if t.form is gt.Form.OUTPUT:
        return make.struct(type_expr(file, t), {})
    return make.NIL


# -- natural representations ------------------------------------------------------------------------------------------------

def natural_type(b: Block, t: ty.Type) -> gt.GoType:
    """Return the default representation of values of type `t`."""
    native = b.file.session.natives.native(t)
    if not t.eventual:
        return gt.plain(native)
    match t:
        case ty.OutputType() | ty.PromiseType():
            return gt.output(native)
        case ty.InputType():
            return gt.input_(native)
        case ty.UnionType():
            return gt.output(native)
        case ty.ListType() | ty.MapType() | ty.TupleType():
            assert isinstance(native, gt.Slice | gt.Map)
            inner = t.element if isinstance(t, ty.MapType) else element_type(t)
            if isinstance(inner, ty.ObjectType) and inner.eventual:
                held = natural_type(b, inner).native
                return gt.plain(gt.like(native, held))
            if not gt.holds_declared(native.element):
                if gt.has_family(native):
                    return gt.composite(native)
                if isinstance(native.element, gt.Pointer):
                    # The SDK has no list or map of optional values: `pulumi.Array` and `pulumi.Map` accept any element.
                    return gt.composite(gt.like(native, gt.ANY))
            form = natural_type(b, inner)
            return gt.plain(gt.like(native, form.native if form.is_plain else gt.Held(form)))
        case ty.ObjectType():
            present = gt.present_members(t)
            members = tuple((name, gt.without_ids(b.file.session.natives.native(m))) for name, m in present.items())
            missing = frozenset(name for name, m in present.items() if ty.is_optional(m))
            natural = {name: natural_type(b, m) for name, m in present.items()}
            shared = _shared_form(b, tuple(t.members.values()))
            if shared is not None:
                natural = {name: gt.plain(_in_shared_form(form.native, shared)) for name, form in natural.items()}
            forms = tuple((name, replace(form, native=gt.without_ids(form.native))) for name, form in natural.items())
            return gt.plain(gt.Map(shared or gt.ANY, members, missing, frozenset(t.lacking), forms))
        case _:
            return gt.plain(native)


def natural_choice(b: Block, t: ty.Type, alternatives: Sequence[Expr]) -> gt.GoType:
    """Return the representation of a value of type `t` from one of `alternatives`; a dynamic value may be a typed nil."""
    natural = natural_type(b, t)
    natives = (b.file.session.natives.native(alternative.type) for alternative in alternatives)
    is_nullable = natural.is_plain and isinstance(natural.native, gt.AnyNative) and any(map(gt.holds_nullable, natives))
    return gt.plain(gt.AnyNative(nullable=True)) if is_nullable else natural


def is_of_structs(b: Block, t: ty.Type) -> bool:
    """Return whether unlike elements of a list literal of type `t` may be structs of the program."""
    plain = ty.resolve(t)
    return isinstance(plain, ty.TupleType) and any(gt.holds_struct(b.file.session.natives.native(e)) for e in plain.elements)


def _shared_form(b: Block, types: Sequence[ty.Type]) -> gt.Map | None:
    """Return the shared form of sibling objects with outputs, any of which a computed index may access; else None."""
    if len(types) < 2 or not all(isinstance(t, ty.ObjectType) for t in types):
        return None
    common = unify(types)
    if not isinstance(common, ty.ObjectType) or not common.eventual:
        return None
    if not all(isinstance(t, ty.ObjectType) and t.members.keys() == common.members.keys() for t in types):
        return None
    native = natural_type(b, common).native
    return native if isinstance(native, gt.Map) else None


def _in_shared_form(native: gt.Native, shared: gt.Map) -> gt.Native:
    """Return an object in the form `shared`, with only its own members."""
    if not isinstance(native, gt.Map):
        return native
    names = {name for name, _ in native.members}
    members = tuple(item for item in shared.members if item[0] in names)
    return replace(shared, members=members, missing=native.missing, forms=tuple(f for f in shared.forms if f[0] in names))


# -- declared types ---------------------------------------------------------------------------------------------------------

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
