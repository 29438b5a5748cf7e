"""The configuration of a program: its JSON Schema, and the types of values that the program uses without declaring them.

The schema is for editors and checks of stacks. The document has the dialect 2020-12: one object with a property for each
config variable.

Binding types values without a declaration as `any`; the conversions that it inserts show the expected types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct, field

from pclgen.core import expr as core
from pclgen.core.program import ConfigVariable, Program
from pclgen.core.walk import expressions_of, walk
from pclgen.types import model as ty
from pclgen.types.declarations import Facet
from pclgen.types.rules import MEMBERS, TEXTS, Rule
from pclgen.types.traverse import required_names

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_SCALARS: Final[Mapping[ty.Type, str]] = {
    ty.STRING: "string", ty.INT: "integer", ty.NUMBER: "number", ty.BOOL: "boolean", ty.NONE: "null",
}  # fmt: skip  # a table


def config_schema(program: Program) -> dict[str, Json]:
    """The schema of the configuration that `program` reads, by the names in a stack."""
    variables = [node for node in program.nodes if isinstance(node, ConfigVariable)]
    properties: dict[str, Json] = {node.logical_name: _variable(node) for node in variables}
    required: list[Json] = [node.logical_name for node in variables if node.required]
    schema: dict[str, Json] = {"$schema": DIALECT, "title": f"Configuration of {program.name}", "type": "object"}
    schema["properties"] = properties
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


def _variable(node: ConfigVariable) -> dict[str, Json]:
    schema = _with_rule(_of_type(node.type), node.rule)
    if node.description:
        schema["description"] = node.description
    if node.secret:
        schema["writeOnly"] = True
    elif node.default is not None:
        constant = constant_of(node.default)
        if constant is not None:
            schema["default"] = constant[0]
    return schema


def _with_rule(schema: dict[str, Json], rule: Rule | None) -> dict[str, Json]:
    """Add a rule to the schema of a type; for a nullable type, to its inner schema."""
    inner = schema.get("anyOf")
    if rule is None:
        return schema
    if isinstance(inner, list) and len(inner) == 2 and inner[1] == {"type": "null"} and isinstance(inner[0], dict):
        return {"anyOf": [_with_rule(inner[0], rule), inner[1]]}
    merged = dict(schema)
    for word, value in rule.items():
        under = merged.get(word)
        if word == TEXTS:
            merged["if"], merged["then"] = {"type": "string"}, {"enum": _plain(value)}
        elif isinstance(value, Mapping) and word == MEMBERS:
            members = under if isinstance(under, dict) else {}
            merged[word] = {name: _with_rule(_part(part), _rule(value.get(name))) for name, part in members.items()}
        elif isinstance(value, Mapping):
            merged[word] = _with_rule(_part(under), value)
        else:
            merged[word] = _plain(value)
    return merged


def _part(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _rule(value: Facet) -> Rule | None:
    return value if isinstance(value, Mapping) else None


def _plain(value: Facet) -> Json:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else _scalar(value)


def _scalar(value: Facet) -> Json:
    return value if isinstance(value, bool | int | float | str) else None


def _of_type(t: ty.Type) -> dict[str, Json]:
    plain = ty.resolve(t)
    if plain is not ty.NONE and ty.is_optional(plain):
        inner = _of_type(ty.without_none(plain))
        return {"anyOf": [inner, {"type": "null"}]} if inner else {}
    match plain:
        case ty.ListType():
            return {"type": "array", "items": _of_type(plain.element)}
        case ty.TupleType():
            items: list[Json] = [_of_type(element) for element in plain.elements]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        case ty.MapType():
            return {"type": "object", "additionalProperties": _of_type(plain.element)}
        case ty.ObjectType():
            members: dict[str, Json] = {name: _of_type(member) for name, member in plain.members.items()}
            required: list[Json] = list(required_names(plain))
            return {"type": "object", "properties": members, **({"required": required} if required else {})}
        case ty.UnionType():
            return {"anyOf": [_of_type(member) for member in plain.members]}
        case _:
            return {"type": _SCALARS[plain]} if plain in _SCALARS else {}


def constant_of(value: core.Expr, *, through_conversions: bool = True) -> tuple[Json] | None:
    """A constant as JSON; None if any part is computed, or converted and not `through_conversions`."""
    inner = partial(constant_of, through_conversions=through_conversions)
    match value:
        case core.Convert() if through_conversions:
            return inner(value.value)
        case core.Literal(value=Decimal() as number):
            return (float(number),)
        case core.Literal(value=(None | bool() | int() | str()) as scalar):
            return (scalar,)
        case core.ListExpr():
            elements = [inner(element) for element in value.elements]
            return ([constant[0] for constant in elements if constant is not None],) if None not in elements else None
        case core.ObjectExpr():
            pairs = [(inner(item.key), inner(item.value)) for item in value.items]
            constants = {str(key[0]): constant[0] for key, constant in pairs if key is not None and constant is not None}
            return (constants,) if len(constants) == len(pairs) else None
        case _:
            return None


# -- values without a declaration -------------------------------------------------------------------------------------------

_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_SIMPLE: Final[Mapping[ty.Type, str]] = {ty.STRING: "string", ty.INT: "int", ty.NUMBER: "number", ty.BOOL: "bool"}
ANY: Final = "any"


class Shape(Struct):
    """The expected types of a value, and of its members."""

    types: set[ty.Type] = field(default_factory=set)
    members: dict[str, Shape] = field(default_factory=dict)

    def label(self) -> str:
        """Return the PCL type label; `any` if the uses expect different types."""
        if self.members:
            inner = ", ".join(f"{_key(name)} = {shape.label()}" for name, shape in sorted(self.members.items()))
            return f"object({{{inner}}})"
        labels = {type_label(expected) for expected in self.types}
        if labels > {"string"} and len(labels) == 2:
            labels.remove("string")  # a text accepts numbers, too
        return labels.pop() if len(labels) == 1 else ANY


def shapes_of(names: Iterable[str], program: Program) -> dict[str, Shape]:
    """Return the shapes that `program` expects of the configuration variables `names`."""
    shapes = {name: Shape() for name in names}
    for name, steps, expected in _uses(program):
        if name in shapes:
            shape = shapes[name]
            for step in steps:
                shape = shape.members.setdefault(step, Shape())
            shape.types.add(expected)
    return shapes


def type_label(expected: ty.Type) -> str:
    """Return the label of the type of values that convert to `expected`."""
    plain = ty.without_none(ty.resolve(expected))
    match plain:
        case ty.EnumType():
            return type_label(plain.base)
        case ty.ListType():
            return f"list({type_label(plain.element)})"
        case ty.MapType():
            return f"map({type_label(plain.element)})"
        case _:
            return _SIMPLE.get(plain, ANY)


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else json.dumps(name)


def _uses(program: Program) -> Iterator[tuple[str, Sequence[str], ty.Type]]:
    """Yield each used name, the steps from it, and the type that is expected after the steps."""
    for node in program.nodes:
        for root in expressions_of(node):
            for expr in walk(root):
                match expr:
                    case core.Convert():
                        yield from _path(expr.value, expr.type)
                    case core.Template():
                        for part in expr.parts:
                            yield from _path(part, ty.STRING)
                    case _:
                        pass


def _path(expr: core.Expr, expected: ty.Type) -> Iterator[tuple[str, Sequence[str], ty.Type]]:
    steps: list[str] = []
    while isinstance(expr, core.Attr):
        steps.append(expr.name)
        expr = expr.source
    if isinstance(expr, core.Ref):
        yield expr.symbol.name, steps[::-1], expected
