"""The types that the inputs of components are declared with (targets.md, Declared types).

From labels (`core.declared`) come names for scalars with an alias, constants for the texts that such a name allows, and the
places where both replace `string` and a literal. Go has no types of certain values, so that a name is the type itself, under
another name: values are checked by pclgen or when the program runs.

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
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import FileContext, Session
from pclgen.targets.go.gotypes import LocalType, Map, Native, Pointer, Scalar, Slice
from pclgen.targets.go.names import type_name
from pclgen.targets.go.spelling import native_type


def declare_types(session: Session, components: Sequence[Component]) -> dict[Named, LocalType]:
    """The names that the inputs of components use, with the constants' in the order of the labels."""
    found: dict[Named, LocalType] = {}
    for component in components:
        for node in component.program.nodes:
            if isinstance(node, ConfigVariable):
                for form in _named(declared(node.type, node.rule)):
                    if form not in found:
                        made = _declare(session, form)
                        found |= {form: made} if made is not None else {}
    return found


def _named(form: Declared) -> list[Named]:
    inner = [named for part in parts(form) for named in _named(part)]
    return [form, *inner] if isinstance(form, Named) else inner


def _declare(session: Session, form: Named) -> LocalType | None:
    inner = form.form
    if not isinstance(inner, Literals | Plain):
        return None
    native = session.natives.native(inner.base if isinstance(inner, Literals) else inner.type)
    if not isinstance(native, Scalar):
        return None
    name = session.globals.claim(type_name(form.name), f"{type_name(form.name)}Value")
    texts = [value for value in inner.values if isinstance(value, str)] if isinstance(inner, Literals) else []
    constants = tuple((value, session.globals.claim(name + type_name(value or "empty"))) for value in texts)
    return LocalType(name, native, constants, form.doc)


def type_declarations(file: FileContext, types: Sequence[LocalType]) -> list[go.Declaration]:
    """The declarations of names, each with its constants below it."""
    found: list[go.Declaration] = []
    for made in types:
        said = made.doc or ((f"{made.name} is one of the constants below.",) if made.constants else ())
        found.append(go.AliasDeclaration(name=made.name, type=native_type(file, made.native), comments=said))
        if made.constants:
            values = tuple((name, make.text(value)) for value, name in made.constants)
            found.append(go.ConstantsDeclaration(type=make.declared(made.name), values=values))
    return found


def written(file: FileContext, native: Native, form: Declared) -> go.Expr:
    """The type of an input, with the names that its label says."""
    inner = form.inner if isinstance(form, Nullable) else form
    match native, inner:
        case Pointer(), _:
            return make.star(written(file, native.element, inner))
        case Slice(), _ if isinstance(bare(inner), ListOf):
            return go.SliceType(element=written(file, native.element, parts(bare(inner))[0]))
        case Map(), _ if isinstance(bare(inner), MapOf):
            return go.MapType(element=written(file, native.element, parts(bare(inner))[0]))
        case Scalar(), Named() if inner in file.session.local_types:
            return make.declared(file.session.local_types[inner].name)
        case _:
            return native_type(file, native)


def with_constant(session: Session, made: go.Expr, value: Expr, form: Declared) -> go.Expr:
    """What was made of a literal, with the constant that stands for it."""
    inner = form.inner if isinstance(form, Nullable) else form
    known = session.local_types.get(inner) if isinstance(inner, Named) else None
    name = dict(known.constants).get(str(value.value)) if known is not None and isinstance(value, Literal) else None
    if name is None:
        return made
    if isinstance(made, go.Text):
        return make.declared(name)
    if isinstance(made, go.Call) and len(made.arguments) == 1 and isinstance(made.arguments[0], go.Text):
        return replace(made, arguments=(make.declared(name),))
    return made
