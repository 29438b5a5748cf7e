"""The requirements of the JSON text of an expression on a language's encoder.

From the `Trait`s of a value a target chooses between its encoder and a helper: the canonical text has sorted keys, no
spaces, no needless escapes and the shortest numbers. No encoder writes this text for every value.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from enum import Flag, auto
from typing import Final

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.types import model as ty


class Trait(Flag):
    """Contents of a value for which encoders differ."""

    NONE = 0
    TEXT = auto()  # a text known only at run time
    WIDE = auto()  # a literal text with characters other than printable ASCII
    MARKUP = auto()  # a literal text with special characters of HTML or JavaScript
    FLOAT = auto()  # a number that may not be an int
    UNSORTED = auto()  # an object whose keys may have another order
    NULL = auto()  # a value that may be null at run time


_ANYTHING = Trait.TEXT | Trait.FLOAT | Trait.UNSORTED | Trait.NULL
_MARKUP = frozenset("<>&\u2028\u2029")
_PLAIN_FLOATS = (Decimal("0.0001"), Decimal("1e16"))
"""Between these, the shortest form of a fraction is the same everywhere."""
_JSON: Final = frozenset({"toJSON", CANONICAL_JSON.name})


def is_json(expr: core.Expr) -> bool:
    """Return whether an expression calls `toJSON`, for either form of the text."""
    return type(expr) is core.Call and expr.function.name in _JSON


def traits(expr: core.Expr) -> Trait:
    """Return the traits of `expr`."""
    match expr:
        case core.Literal():
            return _of_constant(expr.value)
        case core.Template():
            return Trait.TEXT
        case core.ListExpr():
            return _union(traits(element) for element in expr.elements)
        case core.ObjectExpr():
            keys = _union(traits(item.key) for item in expr.items)
            sorted_ = Trait.NONE if _is_sorted(expr.items) else Trait.UNSORTED
            return keys | sorted_ | _union(traits(item.value) for item in expr.items)
        case core.Conditional():
            return traits(expr.then) | traits(expr.otherwise)
        case core.For(result_key=None):
            return traits(expr.result)
        case core.Convert():
            return of_type(expr.type) | of_type(expr.value.type)
        case _:
            return of_type(expr.type)


def of_type(t: ty.Type) -> Trait:
    """Return the traits of values of type `t`, resolved or not; memoized, as types share parts."""
    plain = ty.resolve(t)
    trait = plain.memo.get("traits")
    if not isinstance(trait, Trait):
        trait = plain.memo["traits"] = _look(plain)
    return trait


def _look(plain: ty.Type) -> Trait:
    if isinstance(plain, ty.UnionType):
        null = Trait.NULL if ty.is_optional(plain) else Trait.NONE
        return null | _union(of_type(member) for member in plain.members if member is not ty.NONE)
    match plain:
        case ty.ConstType() | ty.EnumType():
            return of_type(plain.base)
        case ty.ListType():
            return of_type(plain.element)
        case ty.MapType():
            return Trait.TEXT | Trait.UNSORTED | of_type(plain.element)
        case ty.TupleType():
            return _union(of_type(element) for element in plain.elements)
        case ty.ObjectType():
            order = Trait.UNSORTED if len(plain.members) > 1 else Trait.NONE
            return Trait.TEXT | order | _union(of_type(member) for member in plain.members.values())
        case ty.NominalType():
            return _ANYTHING
        case _:
            return _of_primitive(plain)


def _of_primitive(t: ty.Type) -> Trait:
    if t in (ty.BOOL, ty.INT):
        return Trait.NONE
    if t is ty.NUMBER:
        return Trait.FLOAT
    if t is ty.NONE:
        return Trait.NULL
    return _ANYTHING if t is ty.DYNAMIC else Trait.TEXT


def in_order(expr: core.Expr) -> core.Expr:
    """`expr` with the members of every object literal in the order of the canonical text."""
    match expr:
        case core.ListExpr():
            return replace(expr, elements=tuple([in_order(element) for element in expr.elements]))
        case core.ObjectExpr():
            items = [replace(item, value=in_order(item.value)) for item in expr.items]
            if all(isinstance(item.key, core.Literal) for item in items):
                items.sort(key=_key)
            return replace(expr, items=tuple(items))
        case core.Conditional():
            return replace(expr, then=in_order(expr.then), otherwise=in_order(expr.otherwise))
        case core.For(result_key=None):
            return replace(expr, result=in_order(expr.result))
        case _:
            return expr


def _is_sorted(items: Iterable[core.ObjectItem]) -> bool:
    """Return whether an object literal with `items` has its keys sorted, in every language.

    JavaScript iterates over whole-number keys first, independent of insertion order.
    """
    keys = [_key(item) for item in items]
    if len(keys) < 2:
        return True
    literal_keys = all(isinstance(item.key, core.Literal) for item in items)
    return literal_keys and keys == sorted(keys) and not any(key.isdecimal() for key in keys)


def _key(item: core.ObjectItem) -> str:
    return str(item.key.value) if isinstance(item.key, core.Literal) else ""


def _of_constant(value: object) -> Trait:
    match value:
        case str():
            wide = Trait.NONE if value.isascii() and "\x7f" not in value else Trait.WIDE
            return wide | (Trait.MARKUP if _MARKUP & set(value) else Trait.NONE)
        case bool():
            return Trait.NONE
        case int():
            return Trait.NONE if abs(value) < 2**63 else Trait.FLOAT
        case Decimal():
            low, high = _PLAIN_FLOATS
            return Trait.NONE if low <= abs(value) < high else Trait.FLOAT
        case _:
            return Trait.NONE


def _union(parts: Iterable[Trait]) -> Trait:
    union = Trait.NONE
    for part in parts:
        union |= part
    return union
