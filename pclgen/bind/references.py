"""The names that an item of a program refers to, from its syntax with lexical scoping (language.md, Dependencies).

References are (name, span) pairs in source order. Loop variables, `range` in ranged bodies, `args` in hooks and `error` in
recoveries are bound locally; called functions are not references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from pclgen.source.text import Span
from pclgen.stdlib.options import RESOURCE_OPTIONS, OptionForm
from pclgen.syntax import ast

Reference = tuple[str, Span]
_NOTHING: frozenset[str] = frozenset()
_CONSTANTS = frozenset((ast.NumberLit, ast.BoolLit, ast.NullLit))


def free_names(e: ast.Expr, bound: frozenset[str] = _NOTHING) -> list[Reference]:
    """The free names of `e`, in source order."""
    references: list[Reference] = []
    pending: list[tuple[ast.Expr, frozenset[str]]] = [(e, bound)]
    while pending:
        node, names = pending.pop()
        if isinstance(node, ast.Variable):
            if node.name not in names:
                references.append((node.name, node.span))
        elif type(node) not in _CONSTANTS:
            pending.extend(reversed(list(_parts(node, names))))
    return references


def calls(e: ast.Expr, name: str) -> Iterator[ast.Call]:
    """The calls of the function `name` in `e`, in source order."""
    pending: list[ast.Expr] = [e]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and node.name.text == name:
            yield node
        pending.extend(reversed([part for part, _ in _parts(node, _NOTHING)]))


def _parts(e: ast.Expr, names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    match e:
        case ast.NumberLit() | ast.BoolLit() | ast.NullLit() | ast.SplatItem() | ast.Missing() | ast.Variable():
            return
        case ast.Template():
            yield from _template_parts(e.parts, names)
        case ast.GetAttr():
            yield e.source, names
        case ast.Index():
            yield from ((e.source, names), (e.key, names))
        case ast.Splat():
            yield from ((e.source, names), (e.each, names))
        case ast.Call():
            for i, arg in enumerate(e.args):
                inner = names | {"error"} if e.name.text == "recover" and i == 1 else names
                yield arg, inner
        case ast.Unary():
            yield e.operand, names
        case ast.Binary():
            yield from ((e.left, names), (e.right, names))
        case ast.Conditional():
            yield from ((e.condition, names), (e.then, names), (e.otherwise, names))
        case ast.TupleExpr():
            yield from ((element.value, names) for element in e.elements)
        case ast.ObjectExpr():
            yield from _object_parts(e, names)
        case ast.ForExpr():
            yield from _for_parts(e, names)
        case ast.Parens():
            yield e.inner, names
        case _:
            assert_never(e)


def _object_parts(e: ast.ObjectExpr, names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    for item in e.items:
        if isinstance(item.key, ast.ExprKey):
            yield item.key.value, names
        yield item.value, names


def _for_parts(e: ast.ForExpr, names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    yield e.collection, names
    inner = names | {e.value.text} | ({e.key.text} if e.key is not None else set())
    if e.result_key is not None:
        yield e.result_key, inner
    yield e.result, inner
    if e.condition is not None:
        yield e.condition, inner


def _template_parts(parts: Iterable[ast.TemplatePart], names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    for part in parts:
        match part:
            case ast.TemplateText():
                pass
            case ast.Interpolation():
                yield part.value, names
            case ast.TemplateIf():
                yield part.condition, names
                yield from _template_parts(part.then, names)
                yield from _template_parts(part.otherwise, names)
            case ast.TemplateFor():
                yield part.collection, names
                inner = names | {part.value.text} | ({part.key.text} if part.key is not None else set())
                yield from _template_parts(part.body, inner)


def range_expression(block: ast.Block) -> ast.Expr | None:
    """The value of `options { range = … }`."""
    for item in block.body.items:
        if isinstance(item, ast.Block) and item.type.text == "options":
            for option in item.body.items:
                if isinstance(option, ast.Attribute) and option.name.text == "range":
                    return option.value
    return None


def block_names(block: ast.Block, has_range_definition: bool) -> list[Reference]:
    """The names that a top-level block refers to."""
    ranged = frozenset(("range",)) if range_expression(block) is not None else _NOTHING
    references: list[Reference] = []
    for item in block.body.items:
        if isinstance(item, ast.Attribute):
            bound = frozenset(("args",)) if block.type.text == "hook" and item.name.text == "command" else ranged
            references.extend(free_names(item.value, bound))
        elif item.type.text == "options":
            outer = _NOTHING if has_range_definition else ranged
            for option in item.body.items:
                if isinstance(option, ast.Attribute) and not is_path_option(option.name.text):
                    references.extend(free_names(option.value, outer))
    return references


def is_path_option(name: str) -> bool:
    """Return whether the value of an option is a list of property paths, whose names are not references."""
    spec = RESOURCE_OPTIONS.get(name)
    return spec is not None and spec.form is OptionForm.PATHS
