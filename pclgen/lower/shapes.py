"""Types of lowered expressions, whose values are resolved.

They have no eventuals, and declared objects have the PLAIN shape, since an object created inside an apply has no
eventual members.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Attr, Index, Literal
from pclgen.types.declarations import DeclarationKind, Shape
from pclgen.types.model import (
    DYNAMIC,
    InputType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    OutputType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
    list_of,
    map_of,
    nominal_of,
    resolve,
    tuple_of,
    union_of,
    with_members,
    without_none,
)
from pclgen.types.traverse import Step, attribute, index, iteration

_MEMO = "lower.plain_type"


def plain_type(t: Type) -> Type:
    """Return the resolved type of `t`, with input-shaped objects in plain shape; memoised on the type."""
    shape = t.memo.get(_MEMO)
    if shape is None:
        shape = t.memo[_MEMO] = _in_plain_shape(resolve(t))
    return shape  # type: ignore[return-value]  # the memo holds the result of _in_plain_shape


def _in_plain_shape(t: Type) -> Type:
    match t:
        case NominalType():
            is_input = t.shape is Shape.INPUT and t.declaration.kind is DeclarationKind.OBJECT
            return nominal_of(t.declaration, Shape.PLAIN) if is_input else t
        case ListType():
            return list_of(plain_type(t.element))
        case MapType():
            return map_of(plain_type(t.element))
        case TupleType():
            return tuple_of(plain_type(element) for element in t.elements)
        case ObjectType():
            return with_members(t, plain_type)
        case UnionType():
            return union_of((plain_type(member) for member in t.members), t.discriminator)
        case _:
            return t


def takes(expected: Type, actual: Type) -> bool:
    """Return whether a place of type `expected` accepts the eventuals in `actual` unchanged; compares nothing else."""
    if not actual.eventual:
        return True
    if is_eventual(actual):
        return isinstance(expected, InputType) or expected is DYNAMIC
    inner = without_none(expected.element if isinstance(expected, InputType) else expected)
    if isinstance(inner, UnionType):
        return any(takes(member, actual) for member in inner.members)
    places, values = _elements(inner), _elements(actual)
    if places is None or values is None:
        return True
    return all(takes(places.get(name, places.get(None, DYNAMIC)), t) for name, t in values.items())


def _elements(t: Type) -> Mapping[str | int | None, Type] | None:
    """Return the types inside a collection by name or index; None is the key of a type for all elements."""
    match t:
        case ListType() | MapType():
            return {None: t.element}
        case TupleType():
            return dict(enumerate(t.elements))
        case ObjectType():
            return _named(t.members)
        case NominalType():
            return _named({name: member.type for name, member in t.declaration.fields(t.shape).items()})
        case _:
            return None


def _named(members: Mapping[str, Type]) -> Mapping[str | int | None, Type]:
    return dict(members.items())


def step_type(source: Type, step: Attr | Index) -> Type:
    """Return the type of `step` on a value of type `source`; its own type if it does not apply to `source`."""
    if isinstance(step, Attr):
        step_result = attribute(source, step.name)
        return step_result.type if isinstance(step_result, Step) else step.type
    if isinstance(step.key, Literal) and isinstance(step.key.value, str | int | Decimal):
        step_result = index(source, step.key.value)
        return step_result.type if isinstance(step_result, Step) else step.type
    way = iteration(source)
    return way.wrap(way.element) if way is not None else step.type


def cannot_fail(source: Type, step: Attr | Index) -> bool:
    """Return whether `step` on a value of type `source` always succeeds: it reads a declared member of a value that is not
    null."""
    if not isinstance(step, Attr) or source is DYNAMIC:
        return False
    if isinstance(source, OutputType | PromiseType):
        return cannot_fail(source.element, step)
    if isinstance(source, NominalType):
        return step.name in source.declaration.fields(source.shape)
    return isinstance(source, ObjectType) and step.name in source.members and step.name not in source.lacking
