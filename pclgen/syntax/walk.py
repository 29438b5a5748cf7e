"""The parts of untyped trees, in source order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from pclgen.syntax import ast

Tree: TypeAlias = (
    ast.File
    | ast.Body
    | ast.Attribute
    | ast.Block
    | ast.Label
    | ast.Name
    | ast.ObjectItem
    | ast.BareKey
    | ast.ExprKey
    | ast.TemplateText
    | ast.Interpolation
    | ast.TemplateIf
    | ast.TemplateFor
    | ast.Expr
)
"""All node classes that occur in a file."""


def children(node: Tree) -> Iterator[Tree]:
    """Yield the direct parts of a node."""
    match node:
        case ast.File():
            yield from node.body.items
        case ast.Body():
            yield from node.items
        case ast.Attribute():
            yield node.name
            yield node.value
        case ast.Block():
            yield node.type
            yield from node.labels
            yield node.body
        case ast.ObjectItem():
            yield node.key
            yield node.value
        case ast.ExprKey() | ast.Interpolation():
            yield node.value
        case ast.TemplateIf():
            yield node.condition
            yield from node.then
            yield from node.otherwise
        case ast.TemplateFor():
            yield from () if node.key is None else (node.key,)
            yield node.value
            yield node.collection
            yield from node.body
        case _:
            yield from _of_expression(node)


def _of_expression(
    node: ast.Label | ast.Name | ast.BareKey | ast.TemplateText | ast.Expr,
) -> Iterator[Tree]:
    match node:
        case ast.Label() | ast.Name() | ast.BareKey() | ast.TemplateText() | ast.SplatItem() | ast.Missing():
            return
        case ast.NumberLit() | ast.BoolLit() | ast.NullLit() | ast.Variable():
            return
        case ast.Template():
            yield from node.parts
        case ast.GetAttr():
            yield node.source
            yield node.name
        case ast.Index():
            yield node.source
            yield node.key
        case ast.Splat():
            yield node.source
            yield node.each
        case ast.Call():
            yield node.name
            yield from node.args
        case ast.Unary():
            yield node.operand
        case ast.Binary():
            yield node.left
            yield node.right
        case ast.Conditional():
            yield node.condition
            yield node.then
            yield node.otherwise
        case ast.TupleExpr():
            yield from (element.value for element in node.elements)
        case ast.ObjectExpr():
            yield from node.items
        case ast.ForExpr():
            yield from () if node.key is None else (node.key,)
            yield node.value
            yield node.collection
            yield from () if node.result_key is None else (node.result_key,)
            yield node.result
            yield from () if node.condition is None else (node.condition,)
        case ast.Parens():
            yield node.inner
        case _:
            assert_never(node)


def walk(node: Tree) -> Iterator[Tree]:
    """Yield `node` and all nodes inside it, each before its parts."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(list(children(current))))


def path_to(file: ast.File, offset: int) -> list[Tree]:
    """Return the nodes around an offset, from an item of the file to the innermost; a node's end is a part of it."""
    path: list[Tree] = []
    node: Tree | None = file
    while node is not None:
        inside = sorted((part for part in children(node) if _holds(part, offset)), key=_start)
        # Where a part ends and the next begins, a person points at a name.
        names = (part for part in inside if isinstance(part, ast.Name | ast.Variable) and _is_written(part))
        node = next(names, inside[-1] if inside else None)
        if node is not None:
            path.append(node)
    return path


def _start(node: Tree) -> int:
    """Return the start of a node: trees of Pulumi YAML have parts inside of others."""
    return 0 if isinstance(node, ast.File) else node.span.start


def _is_written(name: ast.Name | ast.Variable) -> bool:
    """Return whether a name is in the text: trees of Pulumi YAML have some names that are not."""
    return isinstance(name, ast.Variable) or name.text == name.span.text


def _holds(node: Tree, offset: int) -> bool:
    if isinstance(node, ast.File):
        return True
    return node.span.start <= offset <= node.span.end
