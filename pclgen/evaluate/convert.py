"""Conversions of values, as `Convert` nodes ask for (language.md, Conversions).

A converted value has outputs where the value had them; an impossible conversion raises `FaultError`. What a type does not
restrict stays as it is; null stays null: it is a value of every type until something needs what it is not.
"""

from __future__ import annotations

from decimal import Decimal

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError, Unread
from pclgen.evaluate.operations import describe, text_of
from pclgen.evaluate.values import Made, Output, Value, apply, in_parts
from pclgen.source.numbers import read_integer, read_number
from pclgen.stdlib.model import UNKNOWN
from pclgen.types.convert import is_resource
from pclgen.types.model import (
    BOOL,
    DYNAMIC,
    ERROR,
    ID,
    INT,
    NONE,
    NUMBER,
    STRING,
    ConstType,
    EnumType,
    InputType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    OutputType,
    PrimitiveType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
    without_none,
)
from pclgen.types.show import with_article


def convert(value: Value, wanted: Type) -> Value:
    """`value` as a value of `wanted`."""
    while isinstance(wanted, OutputType | PromiseType | InputType):
        wanted = wanted.element
    if isinstance(value, Output) and value.parts is not None:
        return in_parts(convert(value.parts, wanted))
    if isinstance(value, Output):
        return apply((value,), lambda plain: convert(plain, wanted))
    if value is UNKNOWN or value is None or isinstance(value, Made) or wanted in (DYNAMIC, ERROR):
        return value
    return _present(value, without_none(wanted))


def _present(value: Value, wanted: Type) -> Value:
    match wanted:
        case ConstType() | EnumType():
            return convert(value, wanted.base)
        case ListType():
            return [convert(element, wanted.element) for element in _list(value, wanted)]
        case TupleType():
            return _tuple(value, wanted)
        case MapType():
            return {key: convert(member, wanted.element) for key, member in _object(value, wanted).items()}
        case ObjectType():
            members = _object(value, wanted)
            # A member that may be left out, and is, stays so: it is no null that somebody wrote.
            return {name: convert(members[name], member) for name, member in wanted.members.items() if name in members}
        case NominalType():
            return value if is_resource(wanted) else _declared(value, wanted)
        case UnionType():
            return _union(value, wanted)
        case PrimitiveType():
            return _primitive(value, wanted)
        case _:
            return value


def _list(value: Value, wanted: Type) -> list[Value]:
    if not isinstance(value, list):
        raise _misfit(value, wanted)
    return value


def _object(value: Value, wanted: Type) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise _misfit(value, wanted)
    return value


def _misfit(value: Value, wanted: Type) -> FaultError:
    unread = Unread(value, wanted.kind) if isinstance(value, str) and isinstance(wanted, PrimitiveType) else None
    return FaultError(lambda span: say.cannot_convert(with_article(wanted), describe(value), span), unread=unread)


def _tuple(value: Value, wanted: TupleType) -> Value:
    elements = _list(value, wanted)
    if len(elements) != len(wanted.elements):
        raise _misfit(value, wanted)
    return [convert(element, t) for element, t in zip(elements, wanted.elements, strict=True)]


def _declared(value: Value, wanted: NominalType) -> Value:
    members = _object(value, wanted)
    fields = wanted.declaration.fields(wanted.shape)
    return {name: convert(member, fields[name].type) if name in fields else member for name, member in members.items()}


def _union(value: Value, wanted: UnionType) -> Value:
    """The value as it is, when a member takes it so; else what the first member makes of it that can."""
    if any(_is_of(value, member) for member in wanted.members):
        return value
    for member in wanted.members:
        try:
            return convert(value, member)
        except FaultError:
            continue
    raise _misfit(value, wanted)


def _is_of(value: Value, t: Type) -> bool:
    """Whether `value` is a scalar of scalar type `t`, or a structure of that kind."""
    match t:
        case ConstType() | EnumType():
            return _is_of(value, t.base)
        case ListType() | TupleType():
            return isinstance(value, list)
        case MapType() | ObjectType() | NominalType():
            return isinstance(value, dict)
        case _:
            if isinstance(value, bool):
                return t is BOOL
            if isinstance(value, int | Decimal):
                return t is NUMBER or (t is INT and value == int(value))
            return t in (STRING, ID) if isinstance(value, str) else t is not NONE


def _primitive(value: Value, wanted: PrimitiveType) -> Value:
    if wanted in (STRING, ID):
        return text_of(value)
    if wanted is BOOL:
        return _bool(value)
    if wanted in (INT, NUMBER):
        return _number(value, wanted)
    return value


def _bool(value: Value) -> Value:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise _misfit(value, BOOL)


def _number(value: Value, wanted: PrimitiveType) -> Value:
    found = value
    if isinstance(value, str):
        found = read_integer(value) if wanted is INT else read_number(value)
    if isinstance(found, bool) or not isinstance(found, int | Decimal):
        raise _misfit(value, wanted)
    if found == int(found):
        return int(found)
    if wanted is INT:
        raise _misfit(value, wanted)
    return found
