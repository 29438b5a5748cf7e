"""Comments of a YAML file, handed to the items that they describe.

Comes in: the comments of a file and, in the order of the file, the places of its items.  Goes out: for each item the
comments above it and the one at the end of its line.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlComment
from pclgen.syntax.ast import Comment, CommentStyle


class Comments:
    """The comments that no item has yet."""

    def __init__(self, source: SourceFile, comments: Sequence[YamlComment]) -> None:
        self.source = source
        self.waiting = [comment for comment in comments if not comment.text.startswith("yaml-language-server:")]
        self.next = 0

    def before(self, span: Span) -> tuple[Comment, ...]:
        """Those that stand above `span` and belong to nothing before it."""
        taken: list[Comment] = []
        last: Span | None = None
        while self.next < len(self.waiting) and self.waiting[self.next].span.start < span.start:
            comment = self.waiting[self.next]
            apart = last is not None and bool(self.source.text[last.end : comment.span.start].strip())
            taken.append(self._made(comment, apart=apart))
            last = comment.span
            self.next += 1
        return tuple(taken)

    def after(self, span: Span) -> tuple[Comment, ...]:
        """The one that follows `span` on its line."""
        if self.next < len(self.waiting):
            comment = self.waiting[self.next]
            between = self.source.text[span.end : comment.span.start]
            if comment.trailing and comment.span.start >= span.end and not between.strip(" \t,]}"):
                self.next += 1
                return (self._made(comment),)
        return ()

    def rest(self) -> tuple[Comment, ...]:
        """What is left at the end of the file."""
        taken = tuple(self._made(comment) for comment in self.waiting[self.next :])
        self.next = len(self.waiting)
        return taken

    def _made(self, comment: YamlComment, *, apart: bool = False) -> Comment:
        """The comment; with `apart` something else stands between it and the one before."""
        text = self.source.text
        line = text.rfind("\n", 0, comment.span.start)
        above = text[text.rfind("\n", 0, max(line, 0)) + 1 : max(line, 0)]
        gap = not comment.trailing and line > 0 and not above.strip()
        return Comment(lines=(comment.text,), style=CommentStyle.HASH, span=comment.span, gap_before=gap or apart)
