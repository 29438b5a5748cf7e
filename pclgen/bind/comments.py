"""Comments as texts for the typed program, moved to where generated code has a line for them.

The parser attaches a comment to the innermost item around it. If code is written on one line, or in another form, the
comment moves to the enclosing item; a comment of a block that becomes no code moves to the next item. So no target decides
whether to print a comment, and no comment is printed twice.

    a = "x${join("", [        # about b        a = "x${join("", [
      b, # about b             ->               b,
    ])}"                                      ])}"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.expr import GAP, NO_COMMENTS, Comments
from pclgen.source.text import Span
from pclgen.syntax import ast


def lines_of(comments: Sequence[ast.Comment]) -> tuple[str, ...]:
    """The lines of `comments` in order, with `GAP` where an empty line, or other text, separates two comments."""
    lines: list[str] = []
    for comment in comments:
        if comment.gap_before and lines:
            lines.append(GAP)
        lines.extend(comment.lines)
    return tuple(lines)


def with_header_inside(tree: ast.File) -> ast.File:
    """`tree` with its header comments above its first item, since only the main file has a header."""
    if not tree.header:
        return tree
    body = tree.body
    if not body.items:
        return replace(tree, header=(), body=replace(body, closing=(*tree.header, *_apart(body.closing))))
    first, *rest = body.items
    first = replace(first, leading=(*tree.header, *_apart(first.leading)))
    return replace(tree, header=(), body=replace(body, items=(first, *rest)))


def _apart(comments: tuple[ast.Comment, ...]) -> tuple[ast.Comment, ...]:
    return (replace(comments[0], gap_before=True), *comments[1:]) if comments else ()


def comments_of(leading: Sequence[ast.Comment], trailing: Sequence[ast.Comment]) -> Comments:
    """Leading and trailing comments of an item; trailing comments of several lines become leading comments."""
    if not leading and not trailing:
        return NO_COMMENTS
    behind = lines_of(trailing)
    if len(behind) > 1:
        return Comments(leading=lines_of((*leading, *trailing)))
    return Comments(leading=lines_of(leading), trailing=behind)


_MARK: Final = re.compile(r"#|//|/\*")
_WRITTEN_ANEW: Final = frozenset({"options", "hook"})
"""Blocks whose attributes reach the code only by their values, in another form."""

_T = TypeVar("_T")


def settle(tree: ast.File) -> ast.File:
    """Return `tree` with its comments moved to where generated code has a line for them."""
    if _MARK.search(tree.source.text) is None:
        return tree
    items: list[ast.Item] = []
    carried: list[ast.Comment] = []
    for item in tree.body.items:
        if isinstance(item, ast.Block) and _becomes_no_code(item):
            items.append(_settled(item, carried, loose=True))
            continue
        settled = _item(item)
        items.append(replace(settled, leading=(*_in_order(carried), *settled.leading)) if carried else settled)
        carried = []
    body = replace(tree.body, items=tuple(items), closing=(*_in_order(carried), *tree.body.closing))
    return replace(tree, body=body)


def _becomes_no_code(block: ast.Block) -> bool:
    return block.type.text == "package" or (block.type.text == "pulumi" and not block.body.items)


def _item(item: ast.Item) -> ast.Item:
    if _MARK.search(item.span.text) is None:
        return item
    return _attribute(item) if isinstance(item, ast.Attribute) else _block(item)


def _attribute(attribute: ast.Attribute, *, loose: bool = False) -> ast.Attribute:
    comments: list[ast.Comment] = []
    value = _settled(attribute.value, comments, loose=loose)
    return replace(attribute, value=value, leading=(*attribute.leading, *_in_order(comments)))


def _block(block: ast.Block) -> ast.Block:
    if block.type.text == "pulumi":
        comments: list[ast.Comment] = []
        body = _settled(block.body, comments, loose=True)
        return replace(block, body=body, header=(*block.header, *_in_order(comments)))
    items: list[ast.Item] = []
    for item in block.body.items:
        if isinstance(item, ast.Block):
            items.append(_block(item))
        else:
            anew = block.type.text in _WRITTEN_ANEW and item.name.text != "range"
            items.append(_attribute(item, loose=anew))
    return replace(block, body=replace(block.body, items=tuple(items)))


def _settled(part: _T, comments: list[ast.Comment], *, loose: bool) -> _T:
    """Move the comments that `part` has no place for to `comments`; all of its comments if it is `loose`."""
    result: Any = part
    if isinstance(part, tuple):
        elements = [_settled(element, comments, loose=loose) for element in part]
        return part if all(a is b for a, b in zip(elements, part, strict=True)) else type(part)(elements)
    if isinstance(part, Span) or not isinstance(part, Struct):
        return part
    loose = loose or _is_on_one_line(part)
    keeps = isinstance(part, ast.Element | ast.ObjectItem) and not loose
    inner: list[ast.Comment] = [] if keeps else comments
    changes: dict[str, Any] = {}
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if not _are_comments(value):
            settled = _settled(value, inner, loose=loose)
            if settled is not value:
                changes[name] = settled
        elif loose:
            comments.extend(value)
            changes[name] = ()
    if keeps and inner:
        changes["leading"] = (*result.leading, *_in_order(inner))
    return replace(result, **changes) if changes else part


def _is_on_one_line(part: object) -> bool:
    """Return whether generated code has no lines of its own for `part`: templates, keys, spread arguments, `[]`, `{}`."""
    match part:
        case ast.Template() | ast.ExprKey():
            return True
        case ast.Call():
            return part.expand
        case ast.TupleExpr():
            return not part.elements
        case ast.ObjectExpr():
            return not part.items
        case _:
            return False


def _are_comments(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], ast.Comment)


def _in_order(comments: Sequence[ast.Comment]) -> list[ast.Comment]:
    return sorted(comments, key=lambda comment: comment.span.start)
