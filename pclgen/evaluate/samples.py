"""Made-up values of declared types, for what no provider is there to compute.

    string  ->  "pet.arn"      number  ->  1      bool  ->  true      list(T)  ->  [T]      map(T)  ->  {"key": T}

Comes in: types of outputs.  Goes out: property values; the same for the same type and label in every run.
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.trace.model import Archive, Asset, PropertyValue, Secret
from pclgen.types.convert import is_resource
from pclgen.types.declarations import Field, Shape
from pclgen.types.model import (
    NONE,
    ConstType,
    EnumType,
    InputType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    OutputType,
    Primitive,
    PrimitiveType,
    PromiseType,
    SetType,
    TupleType,
    Type,
    UnionType,
    without_none,
)

_DEEPEST = 3
"""Declared objects may hold themselves; deeper than this their members that may be missing are."""


def sample_properties(fields: Mapping[str, Field], label: str) -> Mapping[str, PropertyValue]:
    """A value for each field."""
    return {name: sample_value(field.type, f"{label}.{name}") for name, field in fields.items()}


def completed(value: PropertyValue, t: Type, label: str) -> PropertyValue:
    """`value` with samples of the texts, numbers and bools that declared objects in it do not have."""
    t = _present(t)
    if isinstance(value, Secret):
        return Secret(completed(value.value, t, label))
    if isinstance(value, tuple) and isinstance(t, ListType | SetType):
        return tuple(completed(element, t.element, f"{label}.{i}") for i, element in enumerate(value))
    if not isinstance(value, Mapping) or not isinstance(t, NominalType) or is_resource(t):
        return value
    fields = t.declaration.fields(t.shape)
    made = {
        name: completed(member, fields[name].type, f"{label}.{name}") if name in fields else member
        for name, member in value.items()
    }
    for name, field in fields.items():
        member = _present(field.type)
        if name not in made and isinstance(member, PrimitiveType) and member.kind in _SCALARS:
            made[name] = _primitive(member.kind, f"{label}.{name}")
    return made


_SCALARS = (Primitive.BOOL, Primitive.INT, Primitive.NUMBER, Primitive.STRING)


def _present(t: Type) -> Type:
    """What a value of `t` is that is there: without option, input layer and output."""
    while True:
        if isinstance(t, OutputType | PromiseType | InputType):
            t = t.element
        elif isinstance(t, UnionType) and without_none(t) is not t:
            t = without_none(t)
        else:
            return t


def sample_value(t: Type, label: str, depth: int = 0) -> PropertyValue:
    """A value of type `t`; texts are `label`.  References to resources are null: there is none to refer to."""
    match t:
        case PrimitiveType():
            return _primitive(t.kind, label)
        case ConstType():
            return t.value if isinstance(t.value, bool | int | str) else float(t.value)
        case EnumType():
            return t.declaration.members[0].value if t.declaration.members else label
        case ListType() | SetType():
            return (sample_value(t.element, f"{label}.0", depth),)
        case MapType():
            return {"key": sample_value(t.element, f"{label}.key", depth)}
        case TupleType():
            return tuple(sample_value(element, f"{label}.{i}", depth) for i, element in enumerate(t.elements))
        case ObjectType():
            return {name: sample_value(member, f"{label}.{name}", depth) for name, member in t.members.items()}
        case NominalType():
            return _nominal(t, label, depth)
        case UnionType():
            present = [member for member in t.members if member is not NONE]
            return sample_value(present[0], label, depth) if present else None
        case OutputType() | PromiseType() | InputType():
            return sample_value(t.element, label, depth)


def _primitive(kind: Primitive, label: str) -> PropertyValue:
    match kind:
        case Primitive.BOOL:
            return True
        case Primitive.INT | Primitive.NUMBER:
            return 1
        case Primitive.ASSET:
            return Asset(text=label)
        case Primitive.ARCHIVE:
            return Archive(members={})
        case Primitive.NONE:
            return None
        case _:
            return label


def _nominal(t: NominalType, label: str, depth: int) -> PropertyValue:
    if is_resource(t):
        return None
    if depth > 2 * _DEEPEST:
        return {}
    fields = t.declaration.fields(Shape.OUTPUT if t.shape is Shape.OUTPUT else t.shape)
    return {
        name: sample_value(field.type, f"{label}.{name}", depth + 1)
        for name, field in fields.items()
        if depth < _DEEPEST or field.required
    }
