"""Types of lowered expressions, whose values are resolved.

They have no eventuals, and declared objects have the PLAIN shape, since an object created inside an apply has no
eventual members.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Attr, Index, Literal
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind, Shape
from pclgen.types.traverse import Step, attribute, index, iteration

_MEMO = "lower.plain_type"


def plain_type(t: ty.Type) -> ty.Type:
    """Return the resolved type of `t`, with input-shaped objects in plain shape; memoised on the type."""
    shape = t.memo.get(_MEMO)
    if shape is None:
        shape = t.memo[_MEMO] = _in_plain_shape(ty.resolve(t))
    return shape  # type: ignore[return-value]  # the memo holds the result of _in_plain_shape


def _in_plain_shape(t: ty.Type) -> ty.Type:
    match t:
        case ty.NominalType():
            is_input = t.shape is Shape.INPUT and t.declaration.kind is DeclarationKind.OBJECT
            return ty.nominal_of(t.declaration, Shape.PLAIN) if is_input else t
        case ty.ListType():
            return ty.list_of(plain_type(t.element))
        case ty.MapType():
            return ty.map_of(plain_type(t.element))
        case ty.TupleType():
            return ty.tuple_of(plain_type(element) for element in t.elements)
        case ty.ObjectType():
            return ty.with_members(t, plain_type)
        case ty.UnionType():
            return ty.union_of((plain_type(member) for member in t.members), t.discriminator)
        case _:
            return t


def takes(expected: ty.Type, actual: ty.Type) -> bool:
    """Return whether a place of type `expected` accepts the eventuals in `actual` unchanged; compares nothing else."""
    if not actual.eventual:
        return True
    if is_eventual(actual):
        return isinstance(expected, ty.InputType) or expected is ty.DYNAMIC
    inner = ty.without_none(expected.element if isinstance(expected, ty.InputType) else expected)
    if isinstance(inner, ty.UnionType):
        return any(takes(member, actual) for member in inner.members)
    places, values = _elements(inner), _elements(actual)
    if places is None or values is None:
        return True
    return all(takes(places.get(name, places.get(None, ty.DYNAMIC)), t) for name, t in values.items())


def _elements(t: ty.Type) -> Mapping[str | int | None, ty.Type] | None:
    """Return the types inside a collection by name or index; None is the key of a type for all elements."""
    match t:
        case ty.ListType() | ty.MapType():
            return {None: t.element}
        case ty.TupleType():
            return dict(enumerate(t.elements))
        case ty.ObjectType():
            return _named(t.members)
        case ty.NominalType():
            return _named({name: member.type for name, member in t.declaration.fields(t.shape).items()})
        case _:
            return None


def _named(members: Mapping[str, ty.Type]) -> Mapping[str | int | None, ty.Type]:
    return dict(members.items())


def step_type(source: ty.Type, step: Attr | Index) -> ty.Type:
    """Return the type of `step` on a value of type `source`; its own type if it does not apply to `source`."""
    if isinstance(step, Attr):
        step_result = attribute(source, step.name)
        return step_result.type if isinstance(step_result, Step) else step.type
    if isinstance(step.key, Literal) and isinstance(step.key.value, str | int | Decimal):
        step_result = index(source, step.key.value)
        return step_result.type if isinstance(step_result, Step) else step.type
    way = iteration(source)
    return way.wrap(way.element) if way is not None else step.type


def cannot_fail(source: ty.Type, step: Attr | Index) -> bool:
    """Return whether `step` on a value of type `source` always succeeds: it reads a declared member of a value that is not
    null."""
    if not isinstance(step, Attr) or source is ty.DYNAMIC:
        return False
    if isinstance(source, ty.OutputType | ty.PromiseType):
        return cannot_fail(source.element, step)
    if isinstance(source, ty.NominalType):
        return step.name in source.declaration.fields(source.shape)
    return isinstance(source, ty.ObjectType) and step.name in source.members and step.name not in source.lacking
