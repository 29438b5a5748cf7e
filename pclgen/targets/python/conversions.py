"""Conversions between resolved types, as Python expressions (targets.md, Conversions).

`conversion` returns a function over expressions, or None when the value needs no change. `capabilities` uses the same
function, so that lowering inserts an apply exactly where code is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from pclgen.targets.python import modules, names, packages, tree, valuetypes
from pclgen.types import model as ty
from pclgen.types.convert import element_type, member_type, members_of, unify_elements
from pclgen.types.declarations import DeclarationKind, Shape
from pclgen.types.traverse import holds_objects

Conversion: TypeAlias = Callable[[tree.Expr], tree.Expr]


NUMBER_TEXT = tree.Helper(key="number_text")
WHOLE_NUMBER = tree.Helper(key="whole_number")
WIRE_VALUE = tree.Helper(key="wire_value")


def bool_text(value: tree.Expr) -> tree.Expr:
    """`"true"` or `"false"`, the text of a bool in PCL."""
    return tree.IfElse(condition=value, then=tree.text("true"), otherwise=tree.text("false"))


def number_text(value: tree.Expr) -> tree.Expr:
    """The text of a float as in PCL: whole numbers without `.0`, large numbers without an exponent."""
    return tree.call(NUMBER_TEXT, value)


@cache
def _function_of(helper: tree.Helper) -> Conversion:
    return lambda value: tree.call(helper, value)


def _function(name: str) -> Conversion:
    return lambda value: tree.builtin(name, value)


TO_TEXT = tree.Helper(key="to_text")
TO_BOOL = tree.Helper(key="to_bool")
TO_NUMBER = tree.Helper(key="to_number")
REQUIRED = tree.Helper(key="require_value")
_PASS_NONE = tuple(map(_function_of, (TO_BOOL, TO_NUMBER, TO_TEXT, WHOLE_NUMBER)))
"""Conversions that return None for None."""

# source -> target -> code
_SCALARS: Mapping[ty.Type, Mapping[ty.Type, Conversion]] = {
    ty.STRING: {ty.BOOL: _function_of(TO_BOOL), ty.INT: _function("int"), ty.NUMBER: _function("float")},
    ty.BOOL: {ty.STRING: bool_text, ty.INT: _function_of(TO_NUMBER), ty.NUMBER: _function_of(TO_NUMBER)},
    ty.INT: {ty.STRING: _function("str"), ty.BOOL: _function_of(TO_BOOL)},
    ty.NUMBER: {ty.STRING: number_text, ty.BOOL: _function_of(TO_BOOL), ty.INT: _function_of(WHOLE_NUMBER)},
}


def conversion(source: ty.Type, target: ty.Type, unset: str | None = None) -> Conversion | None:
    """Return the conversion from resolved type `source` to `target`; None when nothing happens at run time.

    `unset` is the message for a value that is None and must not be.
    """
    have, want = _bare(source), _bare(target)
    if have is ty.DYNAMIC and want in (ty.INT, ty.NUMBER) and not ty.is_optional(ty.resolve(target)):
        return _function("int" if want is ty.INT else "float")  # which refuse None
    code = None if have is want else _convert(have, want, unset)
    if unset is not None and ty.loses_null(target, source):
        return _checked(unset, code)
    # Of the targets of an untyped value, only an enum class of the SDK refuses None.
    may_be_none = ty.is_optional(ty.resolve(source)) or (have is ty.DYNAMIC and isinstance(want, ty.EnumType))
    if code is None or code in _PASS_NONE or not (may_be_none and ty.is_optional(ty.resolve(target))):
        return code
    return lambda value: tree.IfElse(
        condition=tree.Binary(operator="is", left=value, right=tree.NONE),
        then=tree.NONE,
        otherwise=code(value),
    )


def _checked(unset: str, code: Conversion | None) -> Conversion:
    def change(value: tree.Expr) -> tree.Expr:
        required = tree.call(REQUIRED, value, tree.text(unset))
        return required if code is None else code(required)

    return change


def _bare(t: ty.Type) -> ty.Type:
    plain = ty.bare(t)
    return ty.STRING if plain is ty.ID else plain


def _convert(have: ty.Type, want: ty.Type, unset: str | None = None) -> Conversion | None:
    if isinstance(have, ty.ConstType):
        return _convert(have.base, want, unset)
    if have is ty.DYNAMIC and want is ty.STRING:
        return _function_of(TO_TEXT)
    if have is ty.DYNAMIC and want in (ty.INT, ty.NUMBER):
        return _function_of(WHOLE_NUMBER if want is ty.INT else TO_NUMBER)
    if have is ty.DYNAMIC and want is ty.BOOL:
        return _function_of(TO_BOOL)
    if want is ty.DYNAMIC:
        return _function_of(WIRE_VALUE) if holds_objects(have) else None
    if isinstance(want, ty.UnionType):
        return _to_union(have, want, unset)
    if isinstance(have, ty.UnionType) and want in (ty.STRING, ty.BOOL, ty.INT, ty.NUMBER):
        return _from_union(have, want)
    if isinstance(want, ty.EnumType):
        return None if have is want else _to_enum(have, want)
    if isinstance(have, ty.EnumType):
        return _from_enum(have, want)
    scalar = _SCALARS.get(have, {}).get(want)
    if scalar is not None:
        return scalar
    if isinstance(want, ty.ListType) and isinstance(have, ty.ListType | ty.TupleType):
        return _to_list(have, want.element, unset)
    if isinstance(want, ty.TupleType) and isinstance(have, ty.TupleType):
        return _to_tuple(have, want, unset)
    if isinstance(want, ty.MapType):
        return _to_map(have, want.element, unset)
    if isinstance(want, ty.NominalType) and isinstance(have, ty.ObjectType | ty.MapType):
        return _to_nominal(have, want, unset)
    if isinstance(want, ty.ObjectType):
        are_objects = isinstance(have, ty.UnionType) and all(isinstance(member, ty.ObjectType) for member in have.members)
        return _to_object(unify_elements(have.members) if isinstance(have, ty.UnionType) and are_objects else have, want)
    return None


def _to_union(have: ty.Type, want: ty.UnionType, unset: str | None) -> Conversion | None:
    """No conversion if a member of the union takes the value unchanged; otherwise the first conversion to a member."""
    changes = [_convert(have, _bare(member), unset) for member in want.members if _bare(member) is not have]
    if len(changes) < len(want.members) or None in changes:
        return None
    return changes[0] if changes else None


def _from_union(have: ty.UnionType, want: ty.Type) -> Conversion | None:
    """Convert each value by its run-time type: a text stays a text."""
    members = {_bare(member) for member in have.members}
    if members == {want} or (want is ty.NUMBER and members <= {ty.INT, ty.NUMBER}):
        return None
    if want is ty.BOOL:
        return _function_of(TO_BOOL)
    if want in (ty.INT, ty.NUMBER):
        return _function_of(WHOLE_NUMBER if want is ty.INT else TO_NUMBER)
    return _function("str") if members <= {ty.STRING, ty.INT} else _function_of(TO_TEXT)


def _to_enum(have: ty.Type, want: ty.EnumType) -> Conversion | None:
    enum = packages.enum_class(want.declaration)
    inner = conversion(have, want.base)
    return lambda value: tree.call(enum, inner(value) if inner is not None else value)


def _from_enum(have: ty.EnumType, want: ty.Type) -> Conversion | None:
    # A member equals its value but prints differently.
    inner = _convert(have.base, want)
    if inner is None:
        return None
    return lambda value: inner(tree.Attribute(value=value, name="value"))


def _to_list(have: ty.ListType | ty.TupleType, element: ty.Type, unset: str | None) -> Conversion | None:
    change = None if have == ty.tuple_of(()) else conversion(element_type(have), element, unset)
    if change is None:
        return None
    item = tree.Variable(preferred_names=("item",))
    return lambda value: tree.ListComprehension(
        element=change(tree.name(item)), loop=tree.Loop(targets=(item,), iterable=value)
    )


def _to_tuple(have: ty.TupleType, want: ty.TupleType, unset: str | None) -> Conversion | None:
    """Convert elements to one type in a comprehension, and to several types element by element."""
    element = element_type(want)
    if not isinstance(element, ty.UnionType):
        return _to_list(have, element, unset)
    changes = [conversion(h, w, unset) for h, w in zip(have.elements, want.elements, strict=True)]

    def build(value: tree.Expr) -> tree.Expr:
        elements = [tree.index(value, tree.Constant(value=position)) for position in range(len(changes))]
        changed = [item if change is None else change(item) for item, change in zip(elements, changes, strict=True)]
        return tree.items(changed)

    return build if any(change is not None for change in changes) else None


def _to_map(have: ty.Type, element: ty.Type, unset: str | None) -> Conversion | None:
    members = {**have.members, **have.lacking} if isinstance(have, ty.ObjectType) else members_of(have) or {}
    if not isinstance(have, ty.MapType) and not members:
        return None  # a value of no known type, or an empty object
    change = conversion(have.element if isinstance(have, ty.MapType) else member_type(members.values()), element, unset)
    if change is None:
        return None
    key, item = tree.Variable(preferred_names=("key",)), tree.Variable(preferred_names=("value",))
    return lambda value: tree.DictComprehension(
        key=tree.name(key),
        value=change(tree.name(item)),
        loop=tree.Loop(targets=(key, item), iterable=tree.method(value, "items")),
    )


def _to_object(have: ty.Type, want: ty.ObjectType) -> Conversion | None:
    """A copy with some scalar members converted: a plain object takes all other members unchanged."""
    if not isinstance(have, ty.ObjectType):
        return None
    members = {**have.members, **have.lacking}
    changes = {name: conversion(members[name], t) for name, t in want.members.items() if name in members}

    def build(value: tree.Expr) -> tree.Expr:
        entries = [tree.Entry(key=None, value=value)]
        for name, change in changes.items():
            if change is not None:
                key = tree.text(name)
                entry = tree.Entry(key=key, value=change(tree.index(value, key)))
                may_be_absent = name in have.lacking or ty.is_optional(members[name])
                entries.append(_if_there(entry, value) if may_be_absent else entry)
        return tree.DictDisplay(entries=tuple(entries))

    return build if any(change is not None for change in changes.values()) else None


def _if_there(entry: tree.Entry, value: tree.Expr) -> tree.Entry:
    """`**({"size": str(item["size"])} if "size" in item else {})`: an absent member stays absent."""
    assert entry.key is not None
    condition = tree.Binary(operator="in", left=entry.key, right=value)
    there = tree.IfElse(condition=condition, then=tree.DictDisplay(entries=(entry,)), otherwise=tree.DictDisplay(entries=()))
    return tree.Entry(key=None, value=there)


def _to_nominal(have: ty.ObjectType | ty.MapType, want: ty.NominalType, unset: str | None) -> Conversion | None:
    declaration = want.declaration
    if declaration.kind is not DeclarationKind.OBJECT or want.shape is Shape.OUTPUT:
        return None
    fields = declaration.fields(want.shape)
    members = have.members if isinstance(have, ty.ObjectType) else dict.fromkeys(fields, have.element)

    def build(value: tree.Expr) -> tree.Expr:
        args: list[tree.Argument] = []
        for name, t in members.items():
            if name not in fields:
                continue
            item: tree.Expr = tree.index(value, tree.text(name))
            if isinstance(have, ty.MapType) or ty.is_optional(t):
                item = tree.method(value, "get", tree.text(name))
            change = conversion(t, fields[name].type, unset)
            if change is not None:
                item = change(item)
            elif needs_cast(ty.without_none(ty.resolve(t)), fields[name].type):
                item = modules.cast(cast_type(fields[name].type, valuetypes.annotation(fields[name].type)), item)
            args.append(tree.Argument(name=names.attribute(name), value=item))
        return tree.Call(function=packages.arguments_class(declaration), args=tuple(args))

    return build


def needs_cast(source: ty.Type, target: ty.Type) -> bool:
    """Return whether a checker refuses a `source` in place of a `target` although both are the same at run time."""
    have, want = ty.resolve(source), ty.resolve(target)
    if ty.is_optional(have) and not ty.is_optional(want):
        return True
    if isinstance(ty.without_none(want), ty.ConstType):
        return not isinstance(ty.without_none(have), ty.ConstType)
    return _bare(have) is not _bare(want) and (holds_nominal(have) or _lets_elements_be_null(have, want))


def _lets_elements_be_null(source: ty.Type, target: ty.Type) -> bool:
    have, want = ty.without_none(source), ty.without_none(target)
    if not isinstance(have, ty.ListType | ty.MapType) or not isinstance(want, ty.ListType | ty.MapType):
        return False
    return ty.is_optional(ty.resolve(have.element)) and not ty.is_optional(ty.resolve(want.element))


def holds_nominal(t: ty.Type) -> bool:
    """Return whether values hold objects of a package: as outputs and as inputs these have different classes."""
    plain = ty.without_none(ty.resolve(t))
    if isinstance(plain, ty.ListType | ty.MapType | ty.UnionType):
        return any(map(holds_nominal, ty.parts(plain)))
    return isinstance(plain, ty.NominalType)


def cast_type(target: ty.Type, annotation: tree.Expr) -> tree.Expr:
    """Return the type to cast to: `annotation` for scalars and their collections, `Any` for constants and objects."""
    plain = _bare(target)
    is_narrow = (
        isinstance(plain, ty.UnionType)
        or isinstance(ty.without_none(ty.resolve(target)), ty.ConstType)
        or holds_nominal(plain)
    )
    return modules.any_type() if is_narrow else annotation
