"""Conversions between native types (targets.md, Conversions), and the members of object values.

Conversions that can fail are statements of the block.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TypeGuard

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import Block, CannotWriteError, Place, Value
from pclgen.targets.go.names import type_name
from pclgen.targets.go.sdk import property_name
from pclgen.targets.go.spelling import native_type, symbol_expr, type_expr
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Field, Shape

_POINTER_HELPERS = {gt.Kind.STRING: "StringRef", gt.Kind.INT: "IntRef", gt.Kind.FLOAT: "Float64Ref", gt.Kind.BOOL: "BoolRef"}
_DESCRIPTIONS: Mapping[gt.Kind | type[gt.Native], str] = {
    gt.Kind.STRING: "text",
    gt.Kind.INT: "an integer",
    gt.Kind.FLOAT: "a number",
    gt.Kind.BOOL: "a bool",
    gt.Kind.ID: "an id",
    gt.Kind.URN: "a URN",
    gt.Kind.ASSET: "an asset",
    gt.Kind.ARCHIVE: "an archive",
    gt.Kind.ASSET_OR_ARCHIVE: "an asset or archive",
    gt.EnumNative: "an enum",
    gt.PackageStruct: "an object",
    gt.LocalStruct: "an object",
    gt.ResourceNative: "a resource",
    gt.Single: "an object",
    gt.Slice: "a list",
    gt.Map: "a map",
    gt.Held: "a value that is known later",
    gt.Nil: "null",
    gt.AnyNative: "a dynamic value",
}


def convert_native(b: Block, value: Value, target: gt.Native, place: Place) -> go.Expr:
    """Return the plain `value` as a `target`. Raises `CannotWriteError` if no conversion exists."""
    have = value.type.native
    if isinstance(target, gt.AnyNative):
        return boxed(b, value)
    if have == target and not gt.holds_other_scalars(have, target):
        return value.node
    if isinstance(have, gt.Nil):
        if gt.can_be_nil(target):
            return make.NIL
        raise CannotWriteError(f"null as {describe(target)}", place.at)
    if isinstance(target, gt.Nil) and gt.can_be_nil(have):
        return make.NIL  # a member that is null in this object but not in its siblings
    if isinstance(target, gt.Pointer):
        return _to_pointer(b, value, target, place)
    if isinstance(have, gt.Map) and isinstance(target, gt.Map) and _is_empty(value.node):
        return replace(value.node, type=native_type(b.file, target))
    if isinstance(have, gt.Pointer):
        return convert_native(b, demanded(b, value, place), target, place)
    if isinstance(have, gt.AnyNative):
        return _decoded(b, value, target, place)
    if isinstance(target, gt.EnumNative) or isinstance(have, gt.EnumNative):
        return _convert_enum(b, value, target, place)
    if isinstance(have, gt.Scalar) and isinstance(target, gt.Scalar):
        return _convert_scalar(b, value, target, place)
    if isinstance(have, gt.Slice) and isinstance(target, gt.Slice):
        return _convert_elements(b, value, target, place)
    if isinstance(have, gt.Map | gt.LocalStruct | gt.PackageStruct) and isinstance(
        target, gt.Map | gt.LocalStruct | gt.PackageStruct
    ):
        return _convert_object(b, value, target, place)
    if isinstance(have, gt.ResourceNative) and isinstance(target, gt.ResourceNative):
        return value.node
    raise CannotWriteError(f"{describe(have)} as {describe(target)}", place.at)


def _is_empty(node: go.Expr) -> TypeGuard[go.Composite]:
    """Return whether `node` is `T{}`."""
    return isinstance(node, go.Composite) and not node.elements


def alternative(b: Block, e: core.Expr, want: gt.GoType, hint: str) -> go.Expr:
    """Return `e`, one of several values of a choice, as a `want`.

    A struct among unlike values becomes a map, as the readers of an `any` do not know its fields.
    """
    node = b.into(e, want, hint)
    is_struct = not e.type.eventual and gt.holds_struct(b.file.session.natives.native(e.type))
    if not is_struct or not want.is_plain or not isinstance(want.native, gt.AnyNative):
        return node
    return make.call(b.file.session.helper("propertiesOf"), node)


def boxed(b: Block, value: Value) -> go.Expr:
    """Return the plain `value` in an `any`, where a nil list or map becomes an untyped nil."""
    is_there = isinstance(value.node, go.Composite) or value.node is make.NIL or b.knows(value.node)
    if is_there or not gt.is_nullable(value.type.native):
        return value.node
    return make.call(b.file.session.helper("boxed"), value.node)


def chosen(b: Block, node: go.Expr, native: gt.Native, hint: str) -> go.Expr:
    """Return the value in an `any` that the running program chooses, as the common type `native` of all choices.

    Lists of unlike elements and maps of unlike members have differing Go types, so they are converted.
    """
    if not isinstance(native, gt.Slice | gt.Map) or not _holds_any(native):
        return asserted(b, node, native, hint)
    if isinstance(native.element, gt.AnyNative):
        helper = b.file.session.helper("listOfAny" if isinstance(native, gt.Slice) else "mapOfAny")
        return make.call(helper, node)
    return b.attempt(hint, make.call(go.Index(b.file.session.helper("decode"), native_type(b.file, native)), node))


def _holds_any(native: gt.Native) -> bool:
    """Return whether a type is `any`, or consists of lists and maps of `any` that are not objects."""
    if isinstance(native, gt.Slice | gt.Map):
        return not (isinstance(native, gt.Map) and native.members) and _holds_any(native.element)
    return isinstance(native, gt.AnyNative)


def asserted(b: Block, node: go.Expr, native: gt.Native, hint: str) -> go.Expr:
    """Return the value of known type in an `any`; nil if the type is nullable and the value is null."""
    assertion = go.TypeAssertion(node, native_type(b.file, native))
    if not gt.is_nullable(native):
        return assertion
    variable = make.variable(hint)
    b.emit(make.define([variable, None], assertion))
    return go.Name(variable)


def demanded(b: Block, value: Value, place: Place) -> Value:
    """Return the plain `value` without nil or pointer; emit a nil check if `place` has a failure message."""
    native = value.type.native
    if place.unset is not None and value.node is make.NIL:
        raise CannotWriteError("null where a value is necessary", place.at)
    if place.unset is not None and gt.can_be_nil(native):
        value = b.reusable(value, place.hint)
        if not b.knows(value.node):
            condition = go.Binary(value.node, "==", make.NIL)
            b.fail_if(condition, place.unset)
            b.rule_out(condition)
    if isinstance(native, gt.Pointer):
        return Value(go.Star(value.node), gt.plain(native.element))
    return Value(value.node, gt.plain(gt.definite(native)))


def single_value(b: Block, value: Value, t: ty.Type, hint: str) -> Value:
    """Return a dynamic value, which has type `t` in the program, without a pointer or an enum type.

    In Go, neither is equal to the text or number it represents.
    """
    own_type = ty.without_none(ty.without_const(ty.resolve(t)))
    if not value.type.is_plain or not isinstance(value.type.native, gt.AnyNative):
        return value
    if own_type not in (ty.STRING, ty.INT, ty.NUMBER, ty.BOOL) and not isinstance(own_type, ty.EnumType | ty.UnionType):
        return value
    return Value(b.declare(hint, make.call(b.file.session.helper("singleValue"), value.node)), value.type)


def describe(native: gt.Native) -> str:
    """Return a native type in words."""
    if isinstance(native, gt.Pointer):
        return "optional " + describe(native.element)
    return _DESCRIPTIONS[native.kind if isinstance(native, gt.Scalar) else type(native)]


def pointer_to(b: Block, node: go.Expr, native: gt.Native) -> go.Expr:
    """Return a pointer to a plain value."""
    if isinstance(native, gt.Scalar) and native.kind in _POINTER_HELPERS:
        return make.call(b.file.pulumi(_POINTER_HELPERS[native.kind]), node)
    if isinstance(node, go.Composite):
        return make.address(node)
    if isinstance(node, go.Name):
        return make.address(node)
    return make.call(b.file.session.helper("pointerTo"), node)


def _to_pointer(b: Block, value: Value, target: gt.Pointer, place: Place) -> go.Expr:
    have = value.type.native
    if not isinstance(have, gt.Pointer):
        if isinstance(have, gt.AnyNative):
            return _decoded(b, value, target, place)
        if not isinstance(have, gt.Slice | gt.Map) or isinstance(value.node, go.Composite):
            return pointer_to(b, convert_native(b, value, target.element, place), target.element)
    reusable = b.reusable(value, place.hint)
    # A missing list or map is nil.
    there = Value(go.Star(reusable.node), gt.plain(have.element)) if isinstance(have, gt.Pointer) else reusable

    def pointer(inner: Block) -> go.Expr:
        return pointer_to(inner, convert_native(inner, there, target.element, place), target.element)

    return b.unless_nil(reusable.node, native_type(b.file, target), place.hint, pointer)


def _decoded(b: Block, value: Value, target: gt.Native, place: Place) -> go.Expr:
    """Return a dynamic value as a `target`; its type is known only at run time."""
    if target in gt.ASSETS or isinstance(target, gt.ResourceNative):
        return go.TypeAssertion(value.node, native_type(b.file, target))
    if isinstance(target, gt.Pointer) and target.element in (gt.STRING, gt.BOOL, *gt.NUMBERS):
        optional = b.file.session.helper("optionally")
        return b.attempt(place.hint, make.call(optional, value.node, _decoder(b, target.element)))
    if isinstance(target, gt.Slice | gt.Map) and target.element in (gt.STRING, gt.BOOL, *gt.NUMBERS):
        convert = b.file.session.helper("listOf" if isinstance(target, gt.Slice) else "mapOf")
        return b.attempt(place.hint, make.call(convert, value.node, _decoder(b, target.element)))
    return b.attempt(place.hint, make.call(_decoder(b, target), value.node))


def _decoder(b: Block, target: gt.Native) -> go.Expr:
    """Return the function that converts a dynamic value to a `target`; it fails for null if a value is required."""
    if target in (gt.STRING, gt.BOOL):
        return b.file.session.helper("toText" if target == gt.STRING else "toBool")
    name = "toNumber" if target in gt.NUMBERS else "decode"
    return go.Index(b.file.session.helper(name), native_type(b.file, target))


def _convert_enum(b: Block, value: Value, target: gt.Native, place: Place) -> go.Expr:
    have = value.type.native
    if isinstance(have, gt.EnumNative):
        base = gt.enum_base(have)
        node = make.call(native_type(b.file, base), value.node)
        return convert_native(b, Value(node, gt.plain(base)), target, place)
    assert isinstance(target, gt.EnumNative)
    base_node = convert_native(b, value, gt.enum_base(target), place)
    return make.call(native_type(b.file, target), base_node)


def _convert_scalar(b: Block, value: Value, target: gt.Scalar, place: Place) -> go.Expr:
    have, node = value.type.native, value.node
    assert isinstance(have, gt.Scalar)
    if have in gt.TEXTS and target in gt.TEXTS:
        return make.call(native_type(b.file, target), node)
    if have in gt.TEXTS:
        text = node if have == gt.STRING else make.call(make.STRING, node)
        return _parse(b, text, target, place)
    if target in gt.TEXTS:
        text = format_scalar(b, Value(node, value.type))
        return text if target == gt.STRING else make.call(native_type(b.file, target), text)
    if have == gt.INT and target == gt.FLOAT:
        return node if isinstance(node, go.Number) else make.builtin("float64", node)
    if have == gt.FLOAT and target == gt.INT:
        if isinstance(node, go.Number) and node.text.endswith(".0"):
            return make.number(node.text.removesuffix(".0"))
        return b.attempt(place.hint, make.call(b.file.session.helper("wholeNumber"), node))
    if have in gt.ASSETS and target == gt.ASSET_OR_ARCHIVE:
        return node
    if have in gt.ASSETS and target in gt.ASSETS:
        return go.TypeAssertion(node, native_type(b.file, target))
    raise CannotWriteError(f"{describe(have)} as {describe(target)}", place.at)


def _parse(b: Block, text: go.Expr, target: gt.Scalar, place: Place) -> go.Expr:
    strconv = {
        gt.Kind.INT: ("Atoi", ()),
        gt.Kind.FLOAT: ("ParseFloat", (make.number(64),)),
        gt.Kind.BOOL: ("ParseBool", ()),
    }.get(target.kind)
    if strconv is None:
        raise CannotWriteError(f"text as {describe(target)}", place.at)
    function, rest = strconv
    return b.attempt(place.hint, make.call(b.file.qualified("strconv", function), text, *rest))


def format_scalar(b: Block, value: Value) -> go.Expr:
    """Return a plain scalar as text, formatted as in PCL."""
    node = value.node
    match value.type.native:
        case gt.Scalar(kind=gt.Kind.STRING):
            return node
        case gt.Scalar(kind=gt.Kind.INT):
            return make.call(b.file.qualified("strconv", "Itoa"), node)
        case gt.Scalar(kind=gt.Kind.FLOAT):
            arguments = (node, make.number("'f'"), make.number(-1), make.number(64))
            return make.call(b.file.qualified("strconv", "FormatFloat"), *arguments)
        case gt.Scalar(kind=gt.Kind.BOOL):
            return make.call(b.file.qualified("strconv", "FormatBool"), node)
        case gt.Scalar(kind=gt.Kind.ID) | gt.Scalar(kind=gt.Kind.URN):
            return make.call(make.STRING, node)
        case _:
            return make.call(b.file.qualified("fmt", "Sprint"), node)


def _convert_elements(b: Block, value: Value, target: gt.Slice | gt.Map, place: Place) -> go.Expr:
    def convert(loop: Block, item: Value) -> go.Expr:
        return convert_native(loop, item, target.element, place)

    return each_converted(b, value, gt.plain(target), hint=place.hint, convert=convert)


def each_converted(
    b: Block, source: Value, want: gt.GoType, *, hint: str, convert: Callable[[Block, Value], go.Expr]
) -> go.Name:
    """Return a plain list or map with the elements of `source`, each converted; nil if `source` is."""
    source, type_ = b.reusable(source, hint), type_expr(b.file, want)
    size = make.length(source.node)
    sizes = (make.number(0), size) if isinstance(want.native, gt.Slice) else (size,)
    empty = make.builtin("make", type_, *sizes)
    if not gt.is_nullable(source.type.native):
        out = b.declare(hint, empty)
        add_each(b, source, out, convert)
        return out
    out = b.variable(hint, type_)
    inside = b.inner()
    inside.emit(make.assign(out, empty))
    add_each(inside, source, out, convert)
    b.emit_if(go.Binary(source.node, "!=", make.NIL), inside)
    return out


def add_each(b: Block, source: Value, out: go.Expr, convert: Callable[[Block, Value], go.Expr]) -> None:
    """Emit a loop that adds each element of the plain list or map `source`, converted, to `out`."""
    have = source.type.native
    assert isinstance(have, gt.Slice | gt.Map)
    loop = b.inner()
    key, item = make.variable("key") if isinstance(have, gt.Map) else None, make.variable("item")
    node = convert(loop, Value(go.Name(item), gt.plain(have.element)))
    loop.emit(make.append(out, node) if key is None else make.assign(go.Index(out, go.Name(key)), node))
    b.emit_loop(loop, source.node, key, item)


def _convert_object(b: Block, value: Value, target: gt.Map | gt.LocalStruct | gt.PackageStruct, place: Place) -> go.Expr:
    have = value.type.native
    if isinstance(have, gt.Map) and isinstance(target, gt.Map) and not target.members:
        return _convert_elements(b, value, target, place)
    if isinstance(have, gt.Map) and isinstance(target, gt.Map) and not have.members:
        have = replace(have, members=tuple((name, have.element) for name, _ in target.members), lacking=target.lacking)
        value = Value(value.node, gt.plain(have))
    if isinstance(target, gt.Map):
        return _convert_to_map(b, value, target, place)
    members = members_of_value(b, value, place)
    if isinstance(target, gt.LocalStruct):
        type_: go.Expr = go.Declared(target.name)
        fields = {name: (type_name(name), native) for name, native in target.members}
    else:
        type_, native_of = symbol_expr(b.file, gt.struct_symbol(target.declaration)), b.file.session.natives.native
        fields = {name: (property_name(name), native_of(f.type)) for name, f in plain_fields(target.declaration).items()}
    converted = {
        field: convert_native(b, members[name], native, place.named(name))
        for name, (field, native) in fields.items()
        if name in members
    }
    return make.struct(type_, converted)


def _convert_to_map(b: Block, value: Value, target: gt.Map, place: Place) -> go.Expr:
    forms = dict(target.members)

    def convert(there: Block, member: Value, name: str) -> go.Expr:
        native = forms.get(name, target.element)
        node = convert_native(there, member, native, place.named(name))
        return boxed(there, Value(node, gt.plain(native))) if isinstance(target.element, gt.AnyNative) else node

    return members_that_exist(b, value, native_type(b.file, target), place, names=forms or None, convert=convert)


def members_that_exist(
    b: Block,
    value: Value,
    type_: go.Expr,
    place: Place,
    *,
    names: Container[str] | None = None,
    convert: Callable[[Block, Value, str], go.Expr],
) -> go.Expr:
    """Return a `type_` of the members that an object has, or those of them in `names`; `convert` converts one of them.

    An object that may lack members is copied into a variable, member by member.
    """
    have = value.type.native

    def entries_of(object_: Value) -> dict[str, go.Expr]:
        members = members_of_value(b, object_, place)
        return {name: convert(b, member, name) for name, member in members.items() if names is None or name in names}

    if not isinstance(have, gt.Map) or not have.lacking:
        return make.mapping(type_, entries_of(value))
    kept = b.reusable(value, place.hint)
    every = replace(have, members=tuple(item for item in have.members if item[0] not in have.lacking), lacking=frozenset())
    whole = go.Name(make.variable(place.hint))
    entries = entries_of(Value(kept.node, gt.plain(every))) if every.members else {}
    b.emit(make.define([whole.variable], make.mapping(type_, entries)))
    for name in sorted(name for name in have.lacking if names is None or name in names):
        key = go.Text(name)
        there = b.inner()
        member = member_of_map(there, kept.node, replace(have, lacking=frozenset()), name)
        there.emit(make.assign(go.Index(whole, key), convert(there, member, name)))
        may_be_null = name in have.missing or isinstance(dict(have.members)[name], gt.Nil)
        if isinstance(have.element, gt.AnyNative | gt.Slice | gt.Map) and not may_be_null:
            condition: go.Expr = go.Binary(go.Index(kept.node, key), "!=", make.NIL)
            b.emit_if(condition, there)
        else:
            is_there = make.variable("ok")
            init = make.define([None, is_there], go.Index(kept.node, key))
            b.emit(go.If(init=init, condition=go.Name(is_there), body=tuple(there.statements)))
    return whole


def plain_fields(declaration: Declaration) -> Mapping[str, Field]:
    """Return the fields of a plain struct, whose objects are plain structs too.

    A program need not set a constant, but its field has the type that the constant would have.
    """
    results = declaration.fields(Shape.OUTPUT)
    fields = declaration.fields(Shape.PLAIN)
    merged = {name: results.get(name, f) if f.const is not None else f for name, f in fields.items()}
    return {name: replace(f, plain=False) if f.plain else f for name, f in merged.items()}


def members_of_value(b: Block, value: Value, place: Place) -> dict[str, Value]:
    """Return the members of an object value by wire name, each as an expression."""
    have = value.type.native
    reusable = b.reusable(value, place.hint)
    match have:
        case gt.LocalStruct():
            return {
                name: as_used(b, Value(make.select(reusable.node, type_name(name)), gt.plain(native)))
                for name, native in have.members
            }
        case gt.PackageStruct():
            natives = b.file.session.natives
            return {
                name: Value(make.select(reusable.node, property_name(name)), gt.plain(natives.native(f.type)))
                for name, f in have.declaration.fields(Shape.OUTPUT).items()
            }
        case gt.Map() if have.members:
            b.file.session.take_apart(place.at, len(have.members))
            read = {name: member_or_nil if name in have.lacking else member_of_map for name, _ in have.members}
            return {name: read_member(b, reusable.node, have, name) for name, read_member in read.items()}
        case _:
            raise CannotWriteError(f"{describe(have)} as an object", place.at)


def member_or_nil(b: Block, node: go.Expr, native: gt.Map, name: str) -> Value:
    """Return `node["name"]` of an object that may lack the member, as an optional value."""
    element = go.Index(node, go.Text(name))
    form = dict(native.forms).get(name, gt.plain(dict(native.members)[name]))
    if not form.is_plain:
        return Value(make.call(b.file.pulumi("Any"), element), gt.GoType(gt.ANY, gt.Form.OUTPUT))
    stored = _stored(native, form.native)
    optional_type = gt.optional(stored)
    if stored == native.element and isinstance(stored, gt.AnyNative | gt.Slice | gt.Map):
        return Value(element, gt.plain(optional_type))
    if stored == native.element:
        return Value(make.call(b.file.session.helper("entryOrNil"), node, go.Text(name)), gt.plain(optional_type))
    if isinstance(optional_type, gt.Pointer) and not isinstance(stored, gt.Pointer):
        asserted = go.Index(b.file.session.helper("asPointer"), native_type(b.file, stored))
        return Value(make.call(asserted, element), gt.plain(optional_type))
    variable = make.variable(name)
    b.emit(make.define([variable, None], go.TypeAssertion(element, native_type(b.file, stored))))
    return Value(go.Name(variable), gt.plain(optional_type))


def _stored(native: gt.Map, member: gt.Native) -> gt.Native:
    """Return the type that a map stores for a member: its own type only if the elements are `any`.

    Otherwise the element type, which is nullable only if the member is; an empty list then has the element type of the
    other members.
    """
    if isinstance(native.element, gt.AnyNative):
        return member
    return gt.definite(native.element) if isinstance(member, gt.Slice | gt.Map) and not member.nullable else native.element


def as_used(b: Block, member: Value) -> Value:
    """Return a struct member for use in an expression: an absent list or map is nil."""
    native = member.type.native
    if not isinstance(native, gt.Pointer) or not isinstance(native.element, gt.Slice | gt.Map):
        return member
    return Value(make.call(b.file.session.helper("orNil"), member.node), gt.plain(native.element))


def member_of_map(b: Block, node: go.Expr, native: gt.Map, name: str) -> Value:
    """Return `node["name"]`, asserted to the member's known type.

    Inside `try` and `can`, it fails if the object lacks the member or is nil.
    """
    element: go.Expr = go.Index(node, go.Text(name))
    if b.frame.checked and (native.nullable or name in native.lacking):
        element = b.attempt(name, make.call(b.file.session.helper("entryOf"), node, go.Text(name)))
    form = dict(native.forms).get(name)
    if form is not None and not form.is_plain:
        return Value(go.TypeAssertion(element, type_expr(b.file, form)), form)
    member = _stored(native, form.native if form is not None else dict(native.members).get(name, native.element))
    may_be_nil = isinstance(member, gt.AnyNative | gt.Nil | gt.Pointer) or name in native.missing
    if may_be_nil and name in native.lacking and not b.frame.checked:
        element = b.attempt(name, make.call(b.file.session.helper("entryOf"), node, go.Text(name)))
    if isinstance(member, gt.AnyNative | gt.Nil):
        return Value(element, gt.plain(native.element))
    if member == native.element:
        return Value(element, gt.plain(member))
    asserted = go.TypeAssertion(element, native_type(b.file, member))
    if name not in native.missing and not isinstance(member, gt.Pointer):
        return Value(asserted, gt.plain(member))
    present = b.present_member(element)
    if present is not None:
        return Value(present, gt.plain(member))
    # A missing member is an untyped nil, so the assertion must not panic.
    variable = make.variable(name)
    b.keep_member(element, variable)
    b.emit(make.define([variable, None], asserted))
    return Value(go.Name(variable), gt.plain(member))
