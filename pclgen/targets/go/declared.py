"""The declared types of component inputs (targets.md, Declared types).

Labels (`core.declared`) define names for scalars with an alias, constants for the texts that such a name allows, and the
places where these names and constants replace `string` and a literal. Go has no literal types, so a name is an alias of the
scalar type. pclgen or the running program checks the values.

    type "Size" "'small' | 'large'" {}      type Size = string
                                            const ( SizeSmall Size = "small" … )
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.declared import Declared, ListOf, Literals, MapOf, Named, Nullable, Plain, bare, declared, parts
from pclgen.core.expr import Expr, Literal
from pclgen.core.program import Component, ConfigVariable
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import FileContext, Session
from pclgen.targets.go.names import type_name
from pclgen.targets.go.spelling import native_type


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
            values = tuple((name, make.text(value)) for value, name in type_.constants)
            declarations.append(go.ConstantsDeclaration(type=make.declared(type_.name), values=values))
    return declarations


def written(file: FileContext, native: gt.Native, form: Declared) -> go.Expr:
    """Return the type of an input, with the names from its label."""
    inner = form.inner if isinstance(form, Nullable) else form
    match native, inner:
        case gt.Pointer(), _:
            return make.star(written(file, native.element, inner))
        case gt.Slice(), _ if isinstance(bare(inner), ListOf):
            return go.SliceType(element=written(file, native.element, parts(bare(inner))[0]))
        case gt.Map(), _ if isinstance(bare(inner), MapOf):
            return go.MapType(element=written(file, native.element, parts(bare(inner))[0]))
        case gt.Scalar(), Named() if inner in file.session.local_types:
            return make.declared(file.session.local_types[inner].name)
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
        return make.declared(name)
    if isinstance(node, go.Call) and len(node.arguments) == 1 and isinstance(node.arguments[0], go.Text):
        return replace(node, arguments=(make.declared(name),))
    return node
