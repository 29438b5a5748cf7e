"""Conversions of values by `Convert` nodes (language.md, Conversions).

A converted value has outputs where the value has them; an impossible conversion raises `FaultError`. Unrestricted parts stay
as they are. Null stays null: it is a value of every type until an operation needs another value.
"""

from __future__ import annotations

from decimal import Decimal

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError, Unread
from pclgen.evaluate.operations import describe, text_of
from pclgen.evaluate.values import Output, ResourceValue, Value, apply, in_parts
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


def convert(value: Value, target: Type) -> Value:
    """Convert `value` to `target`."""
    while isinstance(target, OutputType | PromiseType | InputType):
        target = target.element
    if isinstance(value, Output) and value.parts is not None:
        return in_parts(convert(value.parts, target))
    if isinstance(value, Output):
        return apply((value,), lambda plain: convert(plain, target))
    if value is UNKNOWN or value is None or isinstance(value, ResourceValue) or target in (DYNAMIC, ERROR):
        return value
    return _present(value, without_none(target))


def _present(value: Value, target: Type) -> Value:
    match target:
        case ConstType() | EnumType():
            return convert(value, target.base)
        case ListType():
            return [convert(element, target.element) for element in _list(value, target)]
        case TupleType():
            return _tuple(value, target)
        case MapType():
            return {key: convert(member, target.element) for key, member in _object(value, target).items()}
        case ObjectType():
            members = _object(value, target)
            # A missing optional member stays missing: it differs from an explicit null.
            return {name: convert(members[name], member) for name, member in target.members.items() if name in members}
        case NominalType():
            return value if is_resource(target) else _declared(value, target)
        case UnionType():
            return _union(value, target)
        case PrimitiveType():
            return _primitive(value, target)
        case _:
            return value


def _list(value: Value, target: Type) -> list[Value]:
    if not isinstance(value, list):
        raise _misfit(value, target)
    return value


def _object(value: Value, target: Type) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise _misfit(value, target)
    return value


def _misfit(value: Value, target: Type) -> FaultError:
    unread = Unread(value, target.kind) if isinstance(value, str) and isinstance(target, PrimitiveType) else None
    return FaultError(lambda span: say.cannot_convert(with_article(target), describe(value), span), unread=unread)


def _tuple(value: Value, target: TupleType) -> Value:
    elements = _list(value, target)
    if len(elements) != len(target.elements):
        raise _misfit(value, target)
    return [convert(element, t) for element, t in zip(elements, target.elements, strict=True)]


def _declared(value: Value, target: NominalType) -> Value:
    members = _object(value, target)
    fields = target.declaration.fields(target.shape)
    return {name: convert(member, fields[name].type) if name in fields else member for name, member in members.items()}


def _union(value: Value, target: UnionType) -> Value:
    """The value itself if a member accepts it, else its conversion to the first possible member."""
    if any(_is_of(value, member) for member in target.members):
        return value
    for member in target.members:
        try:
            return convert(value, member)
        except FaultError:
            continue
    raise _misfit(value, target)


def _is_of(value: Value, t: Type) -> bool:
    """Return whether `value` is a scalar of scalar type `t`, or a structure of that kind."""
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


def _primitive(value: Value, target: PrimitiveType) -> Value:
    if target in (STRING, ID):
        return text_of(value)
    if target is BOOL:
        return _bool(value)
    if target in (INT, NUMBER):
        return _number(value, target)
    return value


def _bool(value: Value) -> Value:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise _misfit(value, BOOL)


def _number(value: Value, target: PrimitiveType) -> Value:
    number = value
    if isinstance(value, str):
        number = read_integer(value) if target is INT else read_number(value)
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        raise _misfit(value, target)
    if number == int(number):
        return int(number)
    if target is INT:
        raise _misfit(value, target)
    return number
