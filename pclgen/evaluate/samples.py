"""Made-up values of declared types, for what no provider is there to compute.

    string  ->  "pet.arn"      number  ->  1      bool  ->  true      list(T)  ->  [T]      map(T)  ->  {"key": T}

Lists have as many elements as `length` says.

Comes in: types of outputs.  Goes out: property values; the same for the same type and label in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pclgen.records import dataclass
from pclgen.trace.model import Archive, Asset, PropertyValue, Secret
from pclgen.types.convert import is_resource
from pclgen.types.declarations import Field
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
    TupleType,
    Type,
    UnionType,
    without_none,
)

_DEEPEST = 3
"""Declared objects may hold themselves; deeper than this their members that may be missing are."""


def completed(value: PropertyValue, t: Type, label: str) -> PropertyValue:
    """`value` as a provider answers it where the output has type `t`: with samples of the texts, numbers and bools that
    declared objects in it do not have, and a sample for what cannot be of the type (a policy that is given as an object and
    answered as a text)."""
    t = _present(t)
    if isinstance(value, Secret):
        return Secret(completed(value.value, t, label))
    if not _may_be(value, t):
        return Samples().value(t, label)
    if isinstance(value, tuple) and isinstance(t, ListType):
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


def _may_be(value: PropertyValue, t: Type) -> bool:
    """Whether the kind of `value` is one of `t`'s: a text, a list, a map.  What has no kind of its own is taken as it is."""
    match t:
        case PrimitiveType() if t.kind in _SCALARS:
            return not isinstance(value, tuple | Mapping)
        case ConstType() | EnumType():
            return not isinstance(value, tuple | Mapping)
        case ListType() | TupleType():
            return not isinstance(value, str | bool | int | float | Mapping)
        case MapType() | ObjectType():
            return not isinstance(value, str | bool | int | float | tuple)
        case NominalType() if not is_resource(t):
            return not isinstance(value, str | bool | int | float | tuple)
        case UnionType():
            return any(_may_be(value, _present(member)) for member in t.members)
        case _:
            return True


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


def nothing_to_refer_to(_token: str, _label: str) -> PropertyValue:
    """The sample of a reference to a resource where nothing can be registered: null."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Makes samples: lists have `length` elements (those inside of their elements one); `refer` gives a reference to a
    resource of a type, by its token and a label."""

    length: int = 1
    refer: Callable[[str, str], PropertyValue] = nothing_to_refer_to

    def properties(self, fields: Mapping[str, Field], label: str) -> Mapping[str, PropertyValue]:
        """A value for each field."""
        return {name: self.value(field.type, f"{label}.{name}") for name, field in fields.items()}

    def references(self, fields: Mapping[str, Field], label: str) -> Mapping[str, PropertyValue]:
        """A reference for each field that is one, if there is anything to refer to."""
        found = {name: field for name, field in fields.items() if is_resource(_present(field.type))}
        return {} if self.refer is nothing_to_refer_to else self.properties(found, label)

    def value(self, t: Type, label: str, depth: int = 0) -> PropertyValue:
        """A value of type `t`; texts are `label`."""
        match t:
            case PrimitiveType():
                return _primitive(t.kind, label)
            case ConstType():
                return t.value if isinstance(t.value, bool | int | str) else float(t.value)
            case EnumType():
                return t.declaration.members[0].value if t.declaration.members else label
            case ListType():
                inner = replace(self, length=1)
                return tuple(inner.value(t.element, f"{label}.{i}", depth) for i in range(self.length))
            case MapType():
                return {"key": self.value(t.element, f"{label}.key", depth)}
            case TupleType():
                return tuple(self.value(element, f"{label}.{i}", depth) for i, element in enumerate(t.elements))
            case ObjectType():
                return {name: self.value(member, f"{label}.{name}", depth) for name, member in t.members.items()}
            case NominalType():
                return self._nominal(t, label, depth)
            case UnionType():
                present = [member for member in t.members if member is not NONE]
                return self.value(present[0], label, depth) if present else None
            case OutputType() | PromiseType() | InputType():
                return self.value(t.element, label, depth)

    def _nominal(self, t: NominalType, label: str, depth: int) -> PropertyValue:
        if is_resource(t):
            return self.refer(t.declaration.token, label)
        if depth > 2 * _DEEPEST:
            return {}
        fields = t.declaration.fields(t.shape)
        return {
            name: self.value(field.type, f"{label}.{name}", depth + 1)
            for name, field in fields.items()
            if depth < _DEEPEST or field.required
        }


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
