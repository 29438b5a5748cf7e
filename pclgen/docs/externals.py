"""Names that a snippet uses and does not declare: a fragment of a program stands for a whole one.

Comes in: the names, and a way to make the program with declarations in front.  Goes out: PCL that declares each name as
configuration, of the type that its places ask for:

    overrideSpecial = amiId            ->  config "amiId" "string" {}
    subnetId = subnet.id               ->  config "subnet" "object({id=string})" {}

The program is bound with all of them as `any`; the conversions that binding had to make say what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from pclgen.core.expr import Attr, Convert, Expr, Ref, Symbol, Template
from pclgen.core.program import Program
from pclgen.core.walk import expressions_of, walk
from pclgen.diagnostics.model import Diagnostic
from pclgen.pipeline import bind
from pclgen.records import dataclass
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram
from pclgen.types.model import BOOL, INT, NUMBER, STRING, Type

_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_AROUND: Final = "[]\"' "
"""What may stand around a name in Pulumi YAML: `${["my-vpc"].id}`."""
_SIMPLE: Final[Mapping[Type, str]] = {STRING: "string", INT: "int", NUMBER: "number", BOOL: "bool"}


@dataclass(slots=True)
class _Shape:
    """What is known of a value: the types that places ask for, and its members."""

    types: set[Type] = field(default_factory=set)
    members: dict[str, _Shape] = field(default_factory=dict)

    def label(self) -> str:
        """The type as PCL writes it."""
        if self.members:
            inner = ", ".join(f"{_key(name)} = {shape.label()}" for name, shape in sorted(self.members.items()))
            return f"object({{{inner}}})"
        labels = {_SIMPLE.get(one, "any") for one in self.types}
        return labels.pop() if len(labels) == 1 else "any"


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else json.dumps(name)


def names_of(unknown: Iterable[Diagnostic]) -> tuple[str, ...]:
    """The names that diagnostics say are unknown, in the order in which they are met."""
    texts = [one.primary.text.strip(_AROUND) for one in unknown if one.primary is not None]
    return tuple(dict.fromkeys(text for text in texts if _NAME.fullmatch(text)))


def declared(names: Sequence[str], program_with: Callable[[str], LoadedProgram], store: SchemaStore) -> str:
    """Declarations of `names`; those that make the program no better are left out."""
    shapes = {name: _Shape() for name in names}
    bound = bind(program_with(_declarations(shapes)), store, lenient=True)
    if bound.program is not None:
        for name, steps, expected in _uses(bound.program):
            if name in shapes:
                _note(shapes[name], steps, expected)
    return _declarations(shapes)


def _note(shape: _Shape, steps: Sequence[str], expected: Type) -> None:
    for step in steps:
        shape = shape.members.setdefault(step, _Shape())
    shape.types.add(expected)


def _declarations(shapes: dict[str, _Shape]) -> str:
    return "".join(f"config {json.dumps(name)} {json.dumps(shape.label())} {{}}\n" for name, shape in shapes.items())


def _uses(program: Program) -> Iterator[tuple[str, Sequence[str], Type]]:
    """Names with the steps from them and the type that is expected of what is there."""
    for node in program.nodes:
        for whole in expressions_of(node):
            for expr in walk(whole):
                match expr:
                    case Convert():
                        yield from _path(expr.value, expr.type)
                    case Template():
                        for part in expr.parts:
                            yield from _path(part, STRING)
                    case _:
                        pass


def _path(expr: Expr, expected: Type) -> Iterator[tuple[str, Sequence[str], Type]]:
    steps: list[str] = []
    while isinstance(expr, Attr):
        steps.append(expr.name)
        expr = expr.source
    if isinstance(expr, Ref):
        yield _named(expr.symbol), steps[::-1], expected


def _named(symbol: Symbol) -> str:
    return symbol.name
