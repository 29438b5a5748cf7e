"""Comments of the tree as texts of the typed program."""

from __future__ import annotations

from collections.abc import Sequence

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


def comments_of(leading: Sequence[ast.Comment], trailing: Sequence[ast.Comment]) -> Comments:
    """Leading and trailing comments of an item."""
    if not leading and not trailing:
        return NO_COMMENTS
    return Comments(leading=lines_of(leading), trailing=lines_of(trailing))
