"""The configuration of a program as a JSON Schema, for editors and for whoever checks stacks.

Comes in: a bound program.  Goes out: a document in the dialect 2020-12: one object with a property for each config variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, TypeAlias

from pclgen.core.expr import Convert, Expr, ListExpr, Literal, ObjectExpr
from pclgen.core.program import ConfigVariable, Program
from pclgen.types.model import (
    BOOL,
    INT,
    NONE,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    TupleType,
    Type,
    is_optional,
    resolve,
    without_none,
)
from pclgen.types.required import required_names

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_SCALARS: Final[Mapping[Type, str]] = {
    STRING: "string", INT: "integer", NUMBER: "number", BOOL: "boolean", NONE: "null",
}  # fmt: skip  # a table


def config_schema(program: Program) -> dict[str, Json]:
    """The schema of the values that `program` reads, by the names that a stack has them under."""
    variables = [node for node in program.nodes if isinstance(node, ConfigVariable)]
    properties: dict[str, Json] = {node.logical_name: _variable(node) for node in variables}
    required: list[Json] = [node.logical_name for node in variables if node.required]
    found: dict[str, Json] = {"$schema": DIALECT, "title": f"Configuration of {program.name}", "type": "object"}
    found["properties"] = properties
    if required:
        found["required"] = required
    return {**found, "additionalProperties": False}


def _variable(node: ConfigVariable) -> dict[str, Json]:
    found = _of_type(node.type)
    if node.description:
        found["description"] = node.description
    if node.secret:
        found["writeOnly"] = True
    elif node.default is not None:
        constant = _constant(node.default)
        if constant is not None:
            found["default"] = constant[0]
    return found


def _of_type(t: Type) -> dict[str, Json]:
    plain = resolve(t)
    if plain is not NONE and is_optional(plain):
        inner = _of_type(without_none(plain))
        return {"anyOf": [inner, {"type": "null"}]} if inner else {}
    match plain:
        case ListType():
            return {"type": "array", "items": _of_type(plain.element)}
        case TupleType():
            items: list[Json] = [_of_type(element) for element in plain.elements]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        case MapType():
            return {"type": "object", "additionalProperties": _of_type(plain.element)}
        case ObjectType():
            members: dict[str, Json] = {name: _of_type(member) for name, member in plain.members.items()}
            required: list[Json] = list(required_names(plain))
            return {"type": "object", "properties": members, **({"required": required} if required else {})}
        case _:
            return {"type": _SCALARS[plain]} if plain in _SCALARS else {}


def _constant(value: Expr) -> tuple[Json] | None:
    """A constant as JSON; None for what is computed, also inside of it."""
    match value:
        case Convert():
            return _constant(value.value)
        case Literal(value=Decimal() as number):
            return (float(number),)
        case Literal(value=(None | bool() | int() | str()) as scalar):
            return (scalar,)
        case ListExpr():
            elements = [_constant(element) for element in value.elements]
            return ([one[0] for one in elements if one is not None],) if None not in elements else None
        case ObjectExpr():
            pairs = [(_constant(item.key), _constant(item.value)) for item in value.items]
            known = {str(key[0]): one[0] for key, one in pairs if key is not None and one is not None}
            return (known,) if len(known) == len(pairs) else None
        case _:
            return None
