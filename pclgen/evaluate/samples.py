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

from pclgen.trace import model as tr
from pclgen.types import model as ty
from pclgen.types.convert import is_resource
from pclgen.types.declarations import Field

_DEEPEST = 3
"""Declared objects may be recursive: below this depth, their optional members are omitted."""


Readings: TypeAlias = Mapping[tuple[str, str], ty.Primitive]
"""The types (number or bool) as which a program reads sample texts, by the token of the resource or function and the path
in its answer (`id`, `rules.*.port`)."""

Sample: TypeAlias = Callable[[ty.Type, str], tr.PropertyValue]
"""Makes a value of a type; the text is its label."""


def completed(value: tr.PropertyValue, t: ty.Type, label: str, sample: Sample) -> tr.PropertyValue:
    """`value` as a provider returns it for an output of type `t`.

    `sample` makes values that the program does not set: strings, numbers and bools of declared objects at any depth, members
    that such an object requires or always has in outputs, and values that cannot be of the type (a policy that is set as an
    object and returned as a string).
    """
    t = present_type(t)
    match value:
        case tr.Secret():
            return tr.Secret(completed(value.value, t, label, sample))
        case tr.Unknown():
            return value
        case _ if not _may_be(value, t):
            return sample(t, label)
        case tuple() if isinstance(t, ty.ListType):
            return tuple(completed(element, t.element, f"{label}.{i}", sample) for i, element in enumerate(value))
        case Mapping() if isinstance(t, ty.MapType):
            return {key: completed(member, t.element, f"{label}.{key}", sample) for key, member in value.items()}
        case Mapping() if isinstance(t, ty.NominalType) and not is_resource(t):
            return _completed_object(value, t, label, sample)
        case _:
            return value


def _completed_object(
    value: Mapping[str, tr.PropertyValue], t: ty.NominalType, label: str, sample: Sample
) -> tr.PropertyValue:
    fields = t.declaration.fields(t.shape)
    members = {
        name: completed(member, fields[name].type, f"{label}.{name}", sample) if name in fields else member
        for name, member in value.items()
    }
    for name, field in _set_fields(t):
        if name not in members:
            members[name] = sample(field.type, f"{label}.{name}")
    return members


def _set_fields(t: ty.NominalType) -> Sequence[tuple[str, Field]]:
    """The fields that every answer of a provider has, independent of the program."""
    fields = t.memo.get("set fields")
    if fields is None:
        fields = t.memo["set fields"] = [(name, f) for name, f in t.declaration.fields(t.shape).items() if _is_set(f)]
    return fields  # type: ignore[return-value]  # the memo holds the value assigned here


def _is_set(field: Field) -> bool:
    t = present_type(field.type)
    scalar = isinstance(t, ty.PrimitiveType) and t.kind in _SCALARS
    return scalar or ((field.required or field.answered) and not is_resource(t))


def unknown_sample(_t: ty.Type, _label: str) -> tr.PropertyValue:
    """The sample in a preview: a value that the program does not set is unknown."""
    return tr.UNKNOWN


def reading(readings: Readings, token: str, label: str, path: str) -> str:
    """The sample text with this label, at `path` in the answer of `token`: the label, or the number or bool to read."""
    kind = readings.get((token, any_element(path)))
    if kind is None:
        return label
    return "true" if kind is ty.Primitive.BOOL else str(100_000_000 + zlib.crc32(label.encode()) % 900_000_000)


def any_element(path: str) -> str:
    """`path` for every element of its lists: `rules.*.port` for `rules.0.port`."""
    return ".".join("*" if step.isdecimal() else step for step in path.split("."))


def _may_be(value: tr.PropertyValue, t: ty.Type) -> bool:
    """Return whether the kind of `value` (a scalar, a list, a map) is allowed by `t`. A value of any other kind is accepted.
    """
    match t:
        case ty.PrimitiveType() if t.kind in _SCALARS:
            return not isinstance(value, tuple | Mapping)
        case ty.ConstType() | ty.EnumType():
            return not isinstance(value, tuple | Mapping)
        case ty.ListType() | ty.TupleType():
            return not isinstance(value, str | bool | int | float | Mapping)
        case ty.MapType() | ty.ObjectType():
            return not isinstance(value, str | bool | int | float | tuple)
        case ty.NominalType() if not is_resource(t):
            return not isinstance(value, str | bool | int | float | tuple)
        case ty.UnionType():
            return any(_may_be(value, present_type(member)) for member in t.members)
        case _:
            return True


_SCALARS = (ty.Primitive.BOOL, ty.Primitive.INT, ty.Primitive.NUMBER, ty.Primitive.STRING)


def present_type(t: ty.Type) -> ty.Type:
    """Return `t` without options, input layers and outputs."""
    while True:
        if isinstance(t, ty.OutputType | ty.PromiseType | ty.InputType):
            t = t.element
        elif isinstance(t, ty.UnionType) and ty.without_none(t) is not t:
            t = ty.without_none(t)
        else:
            return t


def nothing_to_refer_to(_token: str, _label: str) -> tr.PropertyValue:
    """The sample of a reference to a resource where nothing can be registered: null."""
    return None


class Samples(Struct, frozen=True, kw_only=True):
    """Makes samples: lists have `length` elements (nested lists have one); `refer` returns a reference to a resource, by the
    token of its type and a label; `text` returns the text for a label."""

    length: int = 1
    refer: Callable[[str, str], tr.PropertyValue] = nothing_to_refer_to
    text: Callable[[str], str] = str

    def properties(self, fields: Mapping[str, Field], label: str) -> Mapping[str, tr.PropertyValue]:
        """A value for each field."""
        return {name: self.value(field.type, f"{label}.{name}") for name, field in fields.items()}

    def references(self, fields: Mapping[str, Field], label: str) -> Mapping[str, tr.PropertyValue]:
        """A reference for each field with a resource type, if there is anything to refer to."""
        references = {name: field for name, field in fields.items() if is_resource(present_type(field.type))}
        return {} if self.refer is nothing_to_refer_to else self.properties(references, label)

    def value(self, t: ty.Type, label: str, depth: int = 0) -> tr.PropertyValue:
        """A value of type `t`; its strings are `label`."""
        match t:
            case ty.PrimitiveType():
                return _primitive(t.kind, self.text(label))
            case ty.ConstType():
                return t.value if isinstance(t.value, bool | int | str) else float(t.value)
            case ty.EnumType():
                return t.declaration.members[0].value if t.declaration.members else label
            case ty.ListType():
                inner = replace(self, length=1)
                return tuple(inner.value(t.element, f"{label}.{i}", depth) for i in range(self.length))
            case ty.MapType():
                return {"key": self.value(t.element, f"{label}.key", depth)}
            case ty.TupleType():
                return tuple(self.value(element, f"{label}.{i}", depth) for i, element in enumerate(t.elements))
            case ty.ObjectType():
                return {name: self.value(member, f"{label}.{name}", depth) for name, member in t.members.items()}
            case ty.NominalType():
                return self._nominal(t, label, depth)
            case ty.UnionType():
                present = [member for member in t.members if member is not ty.NONE]
                return self.value(present[0], label, depth) if present else None
            case ty.OutputType() | ty.PromiseType() | ty.InputType():
                return self.value(t.element, label, depth)

    def _nominal(self, t: ty.NominalType, label: str, depth: int) -> tr.PropertyValue:
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


def _primitive(kind: ty.Primitive, label: str) -> tr.PropertyValue:
    match kind:
        case ty.Primitive.BOOL:
            return True
        case ty.Primitive.INT | ty.Primitive.NUMBER:
            return 1
        case ty.Primitive.ASSET:
            return tr.Asset(text=label)
        case ty.Primitive.ARCHIVE:
            return tr.Archive(members={})
        case ty.Primitive.NONE:
            return None
        case _:
            return label
