"""Comments of a YAML file, attached to the items that they describe.

    # above `a`                     above an item, or after a key whose value is on the next lines: precedes the item
    a: # above `a`, too
      b: 1 # behind `b`             at the end of a line: belongs to the item that ends there
      # at the end of `a`           deeper than the next item: ends the mapping or list around it
    c: 2
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlComment, YamlList, YamlMap
from pclgen.syntax.ast import Comment, CommentStyle, comment_lines

_EMPTY_LINE: Final = re.compile(r"[ \t\r]*\n(?:[ \t\r]*\n|---)")
_BEHIND_KEY: Final = re.compile(r"[ \t]*:(?:[ \t]+[&!|>][^ \t\n]*)*[ \t]*")


class Comments:
    """The comments of a file in source order; each is returned once."""

    def __init__(self, source: SourceFile, comments: Sequence[YamlComment]) -> None:
        self.source = source
        self.text: str = source.text
        self.waiting: list[YamlComment] = [
            comment for comment in comments if not comment.text.strip().startswith("yaml-language-server:")
        ]
        self.following: list[int] = self._columns()
        self.next: int = 0
        self.held: tuple[Comment, ...] = ()

    def header(self, settings: int, section: int) -> tuple[Comment, ...]:
        """Return the comments that describe the file.

        These precede the offset `settings`, where the project's own keys end, or an empty line between that offset and the
        first section, which begins at `section`.
        """
        taken = 0
        for number, comment in enumerate(self.waiting, 1):
            start, end = comment.span.start, comment.span.end
            if start >= section:
                break
            on_line = comment.trailing and self.text.find("\n", settings, start) < 0
            if start < settings or on_line or _EMPTY_LINE.match(self.text, end):
                taken = number
        return self._take(taken)

    def before(self, span: Span) -> tuple[Comment, ...]:
        """Return the remaining comments above `span`, and the comment after the key at `span`."""
        stop = self.next
        while stop < len(self.waiting) and self.waiting[stop].span.start < span.start:
            stop += 1
        if stop < len(self.waiting) and _BEHIND_KEY.fullmatch(self.text, span.end, self.waiting[stop].span.start):
            stop += 1
        return self._take(stop)

    def after(self, span: Span) -> tuple[Comment, ...]:
        """Return the remaining comments inside `span`, and the comment that follows it on its line."""
        stop = self.next
        while stop < len(self.waiting) and span.start <= self.waiting[stop].span.start < span.end:
            stop += 1
        if stop < len(self.waiting):
            comment = self.waiting[stop]
            between = self.text[span.end : comment.span.start]
            if comment.trailing and comment.span.start >= span.end and not between.strip(" \t,]}"):
                stop += 1
        held, self.held = self.held, ()
        return (*held, *self._take(stop))

    def closing(self, node: YamlMap | YamlList) -> tuple[Comment, ...]:
        """Return the comments after the last part of `node`.

        They precede its closing bracket, or they are indented more than the next item and at least as much as its parts.
        """
        stop, span, at = self.next, node.span, node.span.end
        column = self._column(span.start)
        for number in range(self.next, len(self.waiting)):
            comment = self.waiting[number]
            start = comment.span.start
            is_inside = span.start <= start < span.end
            is_below = not comment.trailing and self._column(start) >= max(column, self.following[number] + 1)
            if not is_inside and (not is_below or self.text[at:start].strip()):
                break
            at, stop = max(at, comment.span.end), number + 1
        return self._take(stop)

    def hold(self, node: YamlMap) -> None:
        """Keep the comments at the end of `node`, which cannot carry them, for the item around it."""
        self.held += self.closing(node)

    def rest(self) -> tuple[Comment, ...]:
        """Return the comments that are left at the end of the file."""
        return (*self.held, *self._take(len(self.waiting)))

    def _take(self, stop: int) -> tuple[Comment, ...]:
        taken = tuple(self._comments_between(self.next, stop))
        self.next = max(self.next, stop)
        return taken

    def _comments_between(self, start: int, stop: int) -> Iterator[Comment]:
        last: Span | None = None
        for comment in self.waiting[start:stop]:
            is_separated = last is not None and bool(self.text[last.end : comment.span.start].strip())
            line = self.text.rfind("\n", 0, comment.span.start)
            above = self.text[self.text.rfind("\n", 0, max(line, 0)) + 1 : max(line, 0)]
            gap = not comment.trailing and line > 0 and not above.strip()
            lines = comment_lines(comment.text, CommentStyle.HASH)
            yield Comment(lines=lines, style=CommentStyle.HASH, span=comment.span, gap_before=gap or is_separated)
            last = comment.span

    def _column(self, at: int) -> int:
        return at - (self.text.rfind("\n", 0, at) + 1)

    def _columns(self) -> list[int]:
        """Return, for each comment, the column of the next line that is no comment; -1 at the end of the file."""
        columns: list[int] = []
        after, column = len(self.text), -1
        for comment in reversed(self.waiting):
            rest = self.text[comment.span.end : after]
            if rest.strip():
                lines = rest.split("\n")[1:]
                line = next((line for line in lines if line.strip()), "")
                column = len(line) - len(line.lstrip())
            columns.append(column)
            after = comment.span.start
        return columns[::-1]
