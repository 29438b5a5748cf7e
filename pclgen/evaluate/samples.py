"""Sample values of declared types, in place of values that a provider computes.

    string  ->  "pet.arn"      number  ->  1      bool  ->  true      list(T)  ->  [T]      map(T)  ->  {"key": T}

Lists have `length` elements. Samples depend only on type and label, so they are the same in every run.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.trace.model import UNKNOWN, Archive, Asset, PropertyValue, Secret, Unknown
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
"""Declared objects may be recursive: below this depth, their optional members are omitted."""


Readings: TypeAlias = Mapping[tuple[str, str], Primitive]
"""The types (number or bool) as which a program reads sample texts, by the token of the resource or function and the path
in its answer (`id`, `rules.*.port`)."""

Sample: TypeAlias = Callable[[Type, str], PropertyValue]
"""Makes a value of a type; the text is its label."""


def completed(value: PropertyValue, t: Type, label: str, sample: Sample) -> PropertyValue:
    """`value` as a provider returns it for an output of type `t`.

    `sample` makes values that the program does not set: strings, numbers and bools of declared objects at any depth, members
    that such an object requires or always has in outputs, and values that cannot be of the type (a policy that is set as an
    object and returned as a string).
    """
    t = _present(t)
    match value:
        case Secret():
            return Secret(completed(value.value, t, label, sample))
        case Unknown():
            return value
        case _ if not _may_be(value, t):
            return sample(t, label)
        case tuple() if isinstance(t, ListType):
            return tuple(completed(element, t.element, f"{label}.{i}", sample) for i, element in enumerate(value))
        case Mapping() if isinstance(t, MapType):
            return {key: completed(member, t.element, f"{label}.{key}", sample) for key, member in value.items()}
        case Mapping() if isinstance(t, NominalType) and not is_resource(t):
            return _completed_object(value, t, label, sample)
        case _:
            return value


def _completed_object(value: Mapping[str, PropertyValue], t: NominalType, label: str, sample: Sample) -> PropertyValue:
    fields = t.declaration.fields(t.shape)
    members = {
        name: completed(member, fields[name].type, f"{label}.{name}", sample) if name in fields else member
        for name, member in value.items()
    }
    for name, field in _set_fields(t):
        if name not in members:
            members[name] = sample(field.type, f"{label}.{name}")
    return members


def _set_fields(t: NominalType) -> Sequence[tuple[str, Field]]:
    """The fields that every answer of a provider has, independent of the program."""
    fields = t.memo.get("set fields")
    if fields is None:
        fields = t.memo["set fields"] = [(name, f) for name, f in t.declaration.fields(t.shape).items() if _is_set(f)]
    return fields  # type: ignore[return-value]  # the memo holds the value assigned here


def _is_set(field: Field) -> bool:
    t = _present(field.type)
    scalar = isinstance(t, PrimitiveType) and t.kind in _SCALARS
    return scalar or ((field.required or field.answered) and not is_resource(t))


def unknown_sample(_t: Type, _label: str) -> PropertyValue:
    """The sample in a preview: a value that the program does not set is unknown."""
    return UNKNOWN


def reading(readings: Readings, token: str, label: str, path: str) -> str:
    """The sample text with this label, at `path` in the answer of `token`: the label, or the number or bool to read."""
    kind = readings.get((token, any_element(path)))
    if kind is None:
        return label
    return "true" if kind is Primitive.BOOL else str(100_000_000 + zlib.crc32(label.encode()) % 900_000_000)


def any_element(path: str) -> str:
    """`path` for every element of its lists: `rules.*.port` for `rules.0.port`."""
    return ".".join("*" if step.isdecimal() else step for step in path.split("."))


def _may_be(value: PropertyValue, t: Type) -> bool:
    """Return whether the kind of `value` (a scalar, a list, a map) is allowed by `t`. A value of any other kind is accepted.
    """
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
    """Return `t` without options, input layers and outputs."""
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


class Samples(Struct, frozen=True, kw_only=True):
    """Makes samples: lists have `length` elements (nested lists have one); `refer` returns a reference to a resource, by the
    token of its type and a label; `text` returns the text for a label."""

    length: int = 1
    refer: Callable[[str, str], PropertyValue] = nothing_to_refer_to
    text: Callable[[str], str] = str

    def properties(self, fields: Mapping[str, Field], label: str) -> Mapping[str, PropertyValue]:
        """A value for each field."""
        return {name: self.value(field.type, f"{label}.{name}") for name, field in fields.items()}

    def references(self, fields: Mapping[str, Field], label: str) -> Mapping[str, PropertyValue]:
        """A reference for each field with a resource type, if there is anything to refer to."""
        references = {name: field for name, field in fields.items() if is_resource(_present(field.type))}
        return {} if self.refer is nothing_to_refer_to else self.properties(references, label)

    def value(self, t: Type, label: str, depth: int = 0) -> PropertyValue:
        """A value of type `t`; its strings are `label`."""
        match t:
            case PrimitiveType():
                return _primitive(t.kind, self.text(label))
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
