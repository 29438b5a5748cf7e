"""Inputs as SDKs register them: with defaults and constants of the schema, and secret marks."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from msgspec.structs import replace

from pclgen.evaluate.samples import present_type
from pclgen.evaluate.values import Output, Value, marked_secret
from pclgen.stdlib.model import UNKNOWN
from pclgen.trace.model import Alias
from pclgen.types import model as ty
from pclgen.types.declarations import Field, Json, ResourceDecl, Shape


def completed_inputs(inputs: Mapping[str, Value], declaration: ResourceDecl | None) -> dict[str, Value]:
    """Complete the inputs with defaults, constants and secret marks of the schema; nulls are not sent."""
    present = {name: value for name, value in inputs.items() if value is not None}
    if declaration is None:
        return present
    fields = declaration.inputs.fields(Shape.INPUT)
    result: dict[str, Value] = {}
    for name, declared in fields.items():
        value = present.get(name, _schema_value(declared))
        if value is None:
            continue
        value = with_defaults(value, declared.type)
        result[name] = marked_secret(value) if declared.secret else value
    return result | {name: value for name, value in present.items() if name not in fields}


def _schema_value(declared: Field) -> Value:
    return from_json(declared.const if declared.const is not None else declared.default)


def from_json(data: Json) -> Value:
    """A JSON value of a schema as a value."""
    match data:
        case float():
            return int(data) if data.is_integer() else Decimal(repr(data))
        case list():
            return [from_json(element) for element in data]
        case dict():
            return {name: from_json(member) for name, member in data.items()}
        case _:
            return data


def with_defaults(value: Value, target: ty.Type) -> Value:
    """Add the defaults of declared objects to `value`; programs set their constants."""
    target = present_type(target)
    if isinstance(value, Output):
        if value.parts is not None:
            return replace(value, parts=with_defaults(value.parts, target))
        if value.value is UNKNOWN:
            return value
        inner = with_defaults(value.value, target)
        return value if inner is value.value else Output(inner, value.known, value.secret, value.dependencies, value.failure)
    if isinstance(value, list) and isinstance(target, ty.ListType):
        return _same_or([with_defaults(element, target.element) for element in value], value)
    if isinstance(value, dict) and isinstance(target, ty.MapType):
        members = {name: with_defaults(member, target.element) for name, member in value.items()}
        return value if all(members[name] is member for name, member in value.items()) else members
    if isinstance(value, dict) and isinstance(target, ty.NominalType):
        return _object_with_defaults(value, target)
    return value


def _same_or(elements: list[Value], value: list[Value]) -> list[Value]:
    return value if all(element is other for element, other in zip(elements, value, strict=True)) else elements


def _object_with_defaults(value: dict[str, Value], target: ty.NominalType) -> Value:
    fields = target.declaration.fields(target.shape)
    members = {name: with_defaults(part, fields[name].type) if name in fields else part for name, part in value.items()}
    for name, declared in fields.items():
        default = from_json(declared.default)
        if default is not None and members.get(name) is None:
            members[name] = default
    return members


def secret_outputs(declaration: ResourceDecl | None) -> tuple[str, ...]:
    """The outputs that the schema marks secret: SDKs list them in `additionalSecretOutputs`."""
    if declaration is None:
        return ()
    return tuple(name for name, field in declaration.outputs.fields(Shape.OUTPUT).items() if field.secret)


def replacing_properties(declaration: ResourceDecl | None) -> tuple[str, ...]:
    """The paths of the properties that the schema marks `replaceOnChanges`: SDKs list them in the option of that name, with
    `[*]` for every element of a list."""
    if declaration is None:
        return ()
    fields = declaration.outputs.fields(Shape.OUTPUT)
    return tuple(f"{name}{_elements(field.type)}" for name, field in fields.items() if field.replace_on_changes)


def _elements(t: ty.Type) -> str:
    inner = ty.without_none(ty.resolve(t))
    return f"[*]{_elements(inner.element)}" if isinstance(inner, ty.ListType) else ""


def former_types(declaration: ResourceDecl | None) -> tuple[Alias, ...]:
    """The types that a resource had before: SDKs send them as aliases."""
    return () if declaration is None else tuple(Alias(type=token) for token in declaration.aliases)
