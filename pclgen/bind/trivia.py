"""Comments of the tree as texts of the typed program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.syntax import ast


def lines_of(comments: Sequence[ast.Comment]) -> tuple[str, ...]:
    """Their lines in order; a blank line between two comments is kept as an empty line."""
    lines: list[str] = []
    for comment in comments:
        if comment.gap_before and lines:
            lines.append("")
        lines.extend(comment.lines)
    return tuple(lines)


def without_header(tree: ast.File) -> tuple[tuple[str, ...], ast.File]:
    """The comments at the top of a file that a blank line keeps apart from its first item, and the file without them."""
    if not tree.body.items or not tree.body.items[0].leading:
        return (), tree
    first, *rest = tree.body.items
    comments = first.leading
    behind = tree.source.text[comments[-1].span.end : first.span.start]
    gaps = [at for at, comment in enumerate(comments) if at and comment.gap_before]
    end = len(comments) if behind.count("\n") > 1 else max(gaps, default=0)
    if not end:
        return (), tree
    body = replace(tree.body, items=(replace(first, leading=comments[end:]), *rest))
    return lines_of(comments[:end]), replace(tree, body=body)


def comments_of(leading: Sequence[ast.Comment], trailing: Sequence[ast.Comment]) -> Comments:
    """Leading and trailing comments of an item."""
    if not leading and not trailing:
        return NO_COMMENTS
    return Comments(leading=lines_of(leading), trailing=lines_of(trailing))
