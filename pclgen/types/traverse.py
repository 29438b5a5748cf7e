"""Steps into values: attributes, indexes and iteration (language.md, Iteration; Steps).

A step from a receiver by a key has a type, or a reason why it is invalid.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.source.numbers import read_number
from pclgen.types import model as ty
from pclgen.types.convert import element_type, member_type
from pclgen.types.declarations import Field

Key: TypeAlias = "str | int | Decimal | None"
"""A literal key, or None for an unknown key."""


class Step(Struct, frozen=True):
    """A valid step. `field` is set if a package declares the member, `spelled` if only the letter case differs, `lacking` if
    the receiver may lack the member; `type` is the type of a present member."""

    type: ty.Type
    field: Field | None = None
    spelled: str | None = None
    lacking: bool = False


class Refusal(StrEnum):
    """The reason for an invalid step."""

    UNKNOWN_MEMBER = "unknown member"
    NOT_AN_OBJECT = "not an object"
    LIST_BY_NAME = "list by name"
    OUT_OF_RANGE = "out of range"
    NULL = "null"
    IN_SOME_CASES = "in some cases"


class NoStep(Struct, frozen=True):
    """An invalid step; `receiver` is the type that has no such step, `names` are its members."""

    refusal: Refusal
    receiver: ty.Type
    names: tuple[str, ...] = ()


def attribute(t: ty.Type, name: str) -> Step | NoStep:
    """`value.name`, or `value["name"]`."""
    return _step(t, name)


def index(t: ty.Type, key: Key) -> Step | NoStep:
    """`value[key]` with a literal key, or an unknown key (None)."""
    return _step(t, key)


def _step(t: ty.Type, key: Key) -> Step | NoStep:
    match t:
        case ty.OutputType():
            return _wrap(_step(t.element, key), output=True)
        case ty.PromiseType():
            return _wrap(_step(t.element, key), output=False)
        case ty.InputType():
            return _step(t.element, key)
        case ty.ConstType():
            return _step(t.base, key)
        case ty.UnionType():
            return _step_union(t, key)
        case ty.MapType():
            return Step(t.element)
        case ty.ListType() | ty.TupleType():
            return _step_sequence(t, key)
        case ty.ObjectType() | ty.NominalType():
            return _step_object(t, key)
        case _ if t is ty.DYNAMIC or t is ty.ERROR:
            return NoStep(Refusal.OUT_OF_RANGE, t) if _is_no_index(key) else Step(t)
        case _ if t is ty.NONE:
            return NoStep(Refusal.NULL, t)
        case _:
            return NoStep(Refusal.NOT_AN_OBJECT, t)


def _wrap(step: Step | NoStep, output: bool) -> Step | NoStep:
    if isinstance(step, NoStep):
        return step
    wrapped = ty.output_of(step.type) if output else ty.promise_of(step.type)
    return replace(step, type=wrapped)


def _step_union(t: ty.UnionType, key: Key) -> Step | NoStep:
    steps: list[Step] = []
    refused: NoStep | None = None
    for member in t.members:
        if member is ty.NONE:
            continue
        result = _step(member, key)
        if isinstance(result, Step):
            steps.append(result)
        elif refused is None:
            refused = result
    if not steps:
        return refused or NoStep(Refusal.NULL, t)
    if refused is not None and refused.refusal is Refusal.NOT_AN_OBJECT and _is_index(t, key):
        return NoStep(Refusal.IN_SOME_CASES, t)  # of a text, the languages would read a character
    union = ty.union_of(step.type for step in steps)
    if ty.NONE in t.members:
        union = ty.optional_of(union)
    first = steps[0]
    return Step(union, first.field, first.spelled, lacking=any(step.lacking for step in steps))


def _is_index(t: ty.UnionType, key: Key) -> bool:
    """Return whether the value may be a list, of which a step by `key` reads an element."""
    is_list = any(isinstance(ty.resolve(member), ty.ListType | ty.TupleType) for member in t.members)
    return is_list and not (isinstance(key, str) and not key.isdecimal())


def _step_sequence(t: ty.ListType | ty.TupleType, key: Key) -> Step | NoStep:
    if isinstance(key, str):
        if not (key.isascii() and key.isdecimal()):
            return NoStep(Refusal.LIST_BY_NAME, t)
        key = read_number(key)
        if key is None:
            return NoStep(Refusal.OUT_OF_RANGE, t)
    if isinstance(t, ty.ListType):
        return NoStep(Refusal.OUT_OF_RANGE, t) if _is_no_index(key) else Step(t.element)
    if key is None:
        return Step(element_type(t))
    if key != int(key) or not 0 <= key < len(t.elements):
        return NoStep(Refusal.OUT_OF_RANGE, t)
    return Step(t.elements[int(key)])


def _is_no_index(key: Key) -> bool:
    """Return whether a number is never a valid list index: negative, fractional, or more than 32 bits."""
    return isinstance(key, int | Decimal) and (key != int(key) or not 0 <= key < 2**31)


def _step_object(t: ty.ObjectType | ty.NominalType, key: Key) -> Step | NoStep:
    if key is not None and not isinstance(key, str):
        key = str(key)
    if isinstance(t, ty.NominalType):
        fields = t.declaration.fields(t.shape)
        if key is None:
            return Step(member_type(f.type for f in fields.values()))
        field = fields.get(key)
        if field is not None:
            return Step(field.type, field)
        close = _other_case(key, tuple(fields))
        if close is not None:
            return Step(fields[close].type, fields[close], close)
        return NoStep(Refusal.UNKNOWN_MEMBER, t, tuple(fields))
    if key is None:
        return Step(member_type(t.members.values()))
    close = key if key in t.members else _other_case(key, tuple(t.members))
    if close is not None:
        present = t.lacking.get(close)
        spelled = close if close != key else None
        return Step(t.members[close] if present is None else present, None, spelled, lacking=present is not None)
    return NoStep(Refusal.UNKNOWN_MEMBER, t, tuple(t.members))


def _other_case(name: str, names: tuple[str, ...]) -> str | None:
    folded = name.casefold()
    return next((candidate for candidate in names if candidate.casefold() == folded), None)


class Eventuality(StrEnum):
    """The eventual layer around a collection."""

    PLAIN = "plain"
    OUTPUT = "output"
    PROMISE = "promise"


class Iteration(Struct, frozen=True):
    """The key and element types of a collection, and its eventual layer."""

    key: ty.Type
    element: ty.Type
    layer: Eventuality
    keyed: bool  # map-like: keys are names

    @property
    def is_eventual(self) -> bool:
        """Return whether the collection is an output or a promise."""
        return self.layer is not Eventuality.PLAIN

    def wrap(self, t: ty.Type) -> ty.Type:
        """Return `t` inside the collection's eventual layer."""
        match self.layer:
            case Eventuality.OUTPUT:
                return ty.output_of(t)
            case Eventuality.PROMISE:
                return ty.promise_of(t)
            case Eventuality.PLAIN:
                return t


def iteration(t: ty.Type) -> Iteration | None:
    """Return the iteration over `t` (outputs, promises and options unwrapped), or None if `t` is no collection.

    Sets iterate like lists. A union of collections can be iterated if its members agree on keys.
    """
    layer = Eventuality.PLAIN
    while True:
        if isinstance(t, ty.OutputType):
            layer, t = Eventuality.OUTPUT, t.element
        elif isinstance(t, ty.PromiseType):
            layer, t = (layer if layer is Eventuality.OUTPUT else Eventuality.PROMISE), t.element
        elif isinstance(t, ty.InputType):
            t = t.element
        elif isinstance(t, ty.UnionType) and ty.NONE in t.members:
            t = ty.without_none(t)
        else:
            break
    match t:
        case ty.ListType():
            return Iteration(ty.INT, t.element, layer, keyed=False)
        case ty.TupleType():
            return Iteration(ty.INT, element_type(t), layer, keyed=False)
        case ty.MapType():
            return Iteration(ty.STRING, t.element, layer, keyed=True)
        case ty.ObjectType():
            return Iteration(ty.STRING, member_type(t.members.values()), layer, keyed=True)
        case ty.NominalType() if t.resource is None:
            fields = t.declaration.fields(t.shape)
            return Iteration(ty.STRING, member_type(f.type for f in fields.values()), layer, keyed=True)
        case ty.UnionType():
            return _iterate_union(t, layer)
        case _ if t is ty.DYNAMIC or t is ty.ERROR:
            return Iteration(ty.DYNAMIC, ty.DYNAMIC, layer, keyed=False)
        case _:
            return None


def iterates_in_some_cases(t: ty.Type) -> bool:
    """Return whether `t`, which has no iteration, is a union with a collection."""
    plain = ty.resolve(t)
    return isinstance(plain, ty.UnionType) and any(
        iteration(case) is not None for case in plain.members if case is not ty.NONE
    )


def _iterate_union(t: ty.UnionType, layer: Eventuality) -> Iteration | None:
    iterations = [iteration(member) for member in t.members]
    valid = [member for member in iterations if member is not None]
    if len(valid) != len(iterations) or len({member.keyed for member in valid}) != 1:
        return None
    return Iteration(valid[0].key, member_type(member.element for member in valid), layer, valid[0].keyed)
