"""The pure values of a program.

These are the locals, defaults of configuration, and outputs that need only each other and functions that HCL also has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from pclgen.bind.references import free_names
from pclgen.graph.order import without_users
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.syntax.walk import walk

JUDGED_FUNCTIONS: Final = frozenset(
    {"try", "can", "element", "join", "split", "max", "min", "range", "toJSON", "lookup", "length", "entries"}
    | {"singleOrNone", "toBase64", "secret", "unsecret"}
)
"""The functions of the judge (`go/functions.go`)."""


class PureValue(Struct, frozen=True):
    """A pure value: its name in messages, its span, an expression for it, and the declarations that this needs directly."""

    label: str
    span: Span
    expression: str
    needed: tuple[str, ...]


class PureValues(Struct, frozen=True):
    """The pure values of a program, and its pure declarations by name.

    A declaration has its text, and the names of the declarations that it needs directly.
    """

    values: tuple[PureValue, ...]
    declarations: Mapping[str, tuple[str, tuple[str, ...]]]

    def needed_by(self, values: Iterable[PureValue]) -> list[str]:
        """Return the texts of all declarations that `values` need."""
        waiting = [name for value in values for name in value.needed]
        texts: dict[str, str] = {}
        while waiting:
            name = waiting.pop()
            if name not in texts:
                texts[name], needed = self.declarations[name]
                waiting += needed
        return list(texts.values())

    def program(self, values: Iterable[PureValue]) -> str:
        """Return a program whose only output is an object that has `values` as its members `v0`, `v1`, ..."""
        members = [f"v{number} = {value.expression}" for number, value in enumerate(values)]
        return "\n".join([*self.needed_by(values), "output o {", "value = {", *members, "}", "}", ""])


def pure_values(files: Iterable[ast.File]) -> PureValues:
    """Return the pure values of the files of one program."""
    declarations: dict[str, tuple[str, tuple[str, ...]]] = {}
    candidates: list[PureValue] = []
    impure: list[str] = []
    for item in (item for file in files for item in file.body.items):
        match item:
            case ast.Attribute(name=ast.Name(text=name), value=value):
                label = f"local `{name}`"
            case ast.Block(type=ast.Name(text="config"), labels=(ast.Label(text=name), *_)) if (
                # HCL has `optional` for members of objects only.
                (default := _attribute(item, "default")) is not None and "(optional(" not in item.head.text
            ):
                label, value = f"configuration `{name}`", default
            case ast.Block(type=ast.Name(text="output"), labels=(ast.Label(text=name), *_)) if (
                (result := _attribute(item, "value")) is not None and _is_judged(result)
            ):
                candidates.append(PureValue(f"output `{name}`", item.span, result.span.text, _names(result)))
                continue
            case _:
                continue
        declarations[name] = item.span.text, _names(value)
        candidates.append(PureValue(label, item.span, name, (name,)))
        impure += [] if _is_judged(value) else [name]
    pure = without_users({name: needed for name, (_, needed) in declarations.items()}, impure)
    return PureValues(
        values=tuple(value for value in candidates if pure.issuperset(value.needed)),
        declarations={name: declarations[name] for name in declarations if name in pure},
    )


def _attribute(block: ast.Block, name: str) -> ast.Expr | None:
    attributes = (item for item in block.body.items if isinstance(item, ast.Attribute))
    return next((attribute.value for attribute in attributes if attribute.name.text == name), None)


def _names(expression: ast.Expr) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in free_names(expression)))


def _is_judged(expression: ast.Expr) -> bool:
    return {node.name.text for node in walk(expression) if isinstance(node, ast.Call)} <= JUDGED_FUNCTIONS
