"""Types of configuration values that a program uses without declaring them.

Binding types such values as `any`; the conversions that it inserts show the expected types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from pclgen.core.expr import Attr, Convert, Expr, Ref, Template
from pclgen.core.program import Program
from pclgen.core.walk import expressions_of, walk
from pclgen.types import model as ty

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
                    case Convert():
                        yield from _path(expr.value, expr.type)
                    case Template():
                        for part in expr.parts:
                            yield from _path(part, ty.STRING)
                    case _:
                        pass


def _path(expr: Expr, expected: ty.Type) -> Iterator[tuple[str, Sequence[str], ty.Type]]:
    steps: list[str] = []
    while isinstance(expr, Attr):
        steps.append(expr.name)
        expr = expr.source
    if isinstance(expr, Ref):
        yield expr.symbol.name, steps[::-1], expected
