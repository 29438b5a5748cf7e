"""Comments of the tree as texts for the typed program."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.expr import GAP, NO_COMMENTS, Comments
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
