"""Inlay hints: types of locals and names of parameters."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pclgen.core.program import ConfigVariable, Local, Node
from pclgen.lsp.analysis import Analysis
from pclgen.source.text import Span
from pclgen.stdlib.calling import parameter_at
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.syntax.walk import walk
from pclgen.types.model import DYNAMIC, ERROR, resolve
from pclgen.types.show import show

_MOST = 40
"""Maximum length of a shown type."""


class Hint(Struct, frozen=True, kw_only=True):
    """`text` at an offset of the file; a parameter name precedes its argument, a type follows its name."""

    offset: int
    text: str
    is_parameter: bool = False


def hints(analysis: Analysis, file: ast.File, start: int, end: int) -> list[Hint]:
    """Return the hints of a file between two offsets, in source order.

    Literals have no hints, since their values are visible.
    """
    all_hints = [*_types(analysis, file), *_parameters(file)]
    return sorted((hint for hint in all_hints if start <= hint.offset <= end), key=lambda hint: hint.offset)


def _types(analysis: Analysis, file: ast.File) -> Iterator[Hint]:
    for item in file.body.items:
        match item:
            case ast.Attribute() if not _is_literal(item.value):
                yield from _type(analysis, item.name.text, item.name.span)
            case ast.Block() if item.type.text == "config" and len(item.labels) == 1:
                yield from _type(analysis, item.labels[0].text, item.labels[0].span)
            case _:
                pass


def _type(analysis: Analysis, name: str, span: Span) -> Iterator[Hint]:
    node: Node | None = next(iter(analysis.nodes.get(name, ())), None)
    type_ = node.symbol.type if isinstance(node, Local | ConfigVariable) else ERROR
    if resolve(type_) in (ERROR, DYNAMIC):
        return
    text = show(type_)
    yield Hint(offset=span.end, text=f": {text if len(text) <= _MOST else text[: _MOST - 1] + '…'}")


def _parameters(file: ast.File) -> Iterator[Hint]:
    for node in walk(file):
        function = FUNCTIONS.get(node.name.text) if isinstance(node, ast.Call) else None
        if function is None or not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        for index, argument in enumerate(node.args):
            parameter = parameter_at(function, index)
            if parameter is not None and parameter is not function.variadic and _is_literal(argument):
                yield Hint(offset=argument.span.start, text=f"{parameter.name}:", is_parameter=True)


def _is_literal(e: ast.Expr) -> bool:
    if isinstance(e, ast.Template):
        return all(isinstance(part, ast.TemplateText) for part in e.parts)
    return isinstance(e, ast.NumberLit | ast.BoolLit | ast.NullLit)
