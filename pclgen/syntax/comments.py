"""Attaches comments to the items they describe.

The lexer finds the comments; items are visited innermost containers first. A comment on the line where an item ends is
trailing; before an item, leading; after the last item, closing. A comment inside an item that no inner container takes
trails it on its last line, else leads it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from pclgen.source.text import MORE_MARKS, SourceFile, Span, split_lines
from pclgen.syntax import ast

Commented: TypeAlias = ast.Attribute | ast.Block | ast.Element | ast.ObjectItem
_T = TypeVar("_T", ast.Item, ast.Element, ast.ObjectItem)

_GAP = re.compile(r"\n[ \t\r]*\n[ \t\r]*\Z")
_STARS = re.compile(r"\s*\*")


class Comments:
    """The comments of a source, and whether they are attached."""

    def __init__(self, source: SourceFile, places: Sequence[tuple[int, int]]) -> None:
        self.source = source
        self.text: str = source.text
        self.places = places
        self.starts: list[int] = [start for start, _ in places]
        self.taken: bytearray = bytearray(len(places))

    def __bool__(self) -> bool:
        return bool(self.places)

    def release(self, start: int, end: int) -> None:
        """Detach the comments between offsets: the parse there failed and is repeated in parts."""
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        self.taken[low:high] = bytes(high - low)

    def _free(self, start: int, end: int) -> list[int]:
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return [index for index in range(low, high) if not self.taken[index]]

    def _same_line(self, start: int, end: int) -> bool:
        return self.text.find("\n", start, end) < 0

    def _take(self, index: int) -> ast.Comment:
        self.taken[index] = 1
        start, end = self.places[index]
        return make_comment(self.source, start, end)

    def header(self, start: int, brace_end: int) -> tuple[ast.Comment, ...]:
        """Return the comments of a block's head, up to the end of the line of its `{`."""
        line_end = self.text.find("\n", brace_end)
        stop = line_end if line_end >= 0 else len(self.text)
        if not (indices := self._free(start, stop)):
            return ()
        between = self.text[brace_end : self.places[indices[-1]][0]]
        if any(ch not in " \t" for ch in re.sub(r"/\*.*?\*/", "", between)):  # a block on one line
            indices = [index for index in indices if self.places[index][0] < brace_end]
        return tuple(self._take(index) for index in indices)

    def attach(self, items: Sequence[_T], start: int, end: int) -> tuple[list[_T], tuple[ast.Comment, ...]]:
        """Return the items of the container between offsets with their comments, and the comments after the last item."""
        indices = self._free(start, end)
        result = list(items)
        if not indices:
            return result, ()
        spans = [item.value.span if isinstance(item, ast.Element) else item.span for item in items]
        leading: dict[int, list[ast.Comment]] = {}
        trailing: dict[int, list[ast.Comment]] = {}
        closing: list[ast.Comment] = []
        at = 0
        for index in indices:
            where = self.places[index][0]
            while at < len(spans) and spans[at].end <= where:
                at += 1
            owner, after = self._owner(spans, at, index)
            comment = self._take(index)
            if owner == len(spans):
                closing.append(comment)
            else:
                (trailing if after else leading).setdefault(owner, []).append(comment)
        for owner in leading.keys() | trailing.keys():
            result[owner] = replace(
                result[owner], leading=tuple(leading.get(owner, ())), trailing=tuple(trailing.get(owner, ()))
            )
        return result, tuple(closing)

    def _owner(self, spans: Sequence[Span], at: int, index: int) -> tuple[int, bool]:
        """Return the item of a comment, and whether the comment trails; `at` is the first item that ends after it."""
        start, end = self.places[index]
        if at < len(spans) and spans[at].start <= start:
            return at, self._same_line(end, spans[at].end)
        before_next = at < len(spans) and self._same_line(end, spans[at].start)
        if at > 0 and not before_next and self._same_line(spans[at - 1].end, start):
            return at - 1, True
        return at, False


def make_comment(source: SourceFile, start: int, end: int) -> ast.Comment:
    """Return the comment between offsets."""
    text = source.text[start:end]
    before = source.text[max(0, start - 400) : start]
    span = Span(source, start, end)
    gap = _GAP.search(before) is not None
    if text.startswith("/*"):
        return ast.Comment(lines=_block_lines(text), style=ast.CommentStyle.BLOCK, span=span, gap_before=gap)
    style = ast.CommentStyle.HASH if text[0] == "#" else ast.CommentStyle.SLASHES
    return ast.Comment(lines=comment_lines(text[len(style.value) :], style), style=style, span=span, gap_before=gap)


def comment_lines(text: str, style: ast.CommentStyle) -> tuple[str, ...]:
    """Return the lines of the `text` behind the mark of a comment that extends to the end of its line.

    `## a` is the text `# a`, `/// a` is `a`; a line of only marks keeps them.
    """
    more = text[: len(text) - len(text.lstrip(style.value[0]))]
    text = text[len(more) :]
    # Another language ends a comment at characters that are within a line here.
    lines = [_text(line.rstrip().removeprefix(" ")) for line in split_lines(text)] or [""]
    if more and (style is ast.CommentStyle.HASH or not lines[0]):
        lines[0] = f"{more} {lines[0]}".rstrip()
    return tuple(lines)


def _text(line: str) -> str:
    """Return the text of a line whose text itself begins with `#`, which is no mark."""
    return f" {line}" if MORE_MARKS.match(line) else line


def split_header(source: SourceFile, body: ast.Body) -> tuple[tuple[ast.Comment, ...], ast.Body]:
    """Return the comments at the top of a file that an empty line separates from its first item, and `body` without them."""
    if not body.items or not body.items[0].leading:
        return (), body
    first, *rest = body.items
    comments = first.leading
    behind = source.text[comments[-1].span.end : first.span.start]
    gaps = [at for at, comment in enumerate(comments) if at and comment.gap_before]
    end = len(comments) if behind.count("\n") > 1 else max(gaps, default=0)
    if not end:
        return (), body
    return comments[:end], replace(body, items=(replace(first, leading=comments[end:]), *rest))


def _block_lines(text: str) -> tuple[str, ...]:
    """Return the lines of `/* … */` without stars at the ends and at the line starts, without empty first and last lines."""
    inner = text[1:-1].strip("*")
    lines = [line.rstrip() for line in split_lines(inner)] or [""]
    rest = lines[1:]
    marked = [line for line in rest if line.strip()]
    blank = " "
    if marked and all(_STARS.match(line) for line in marked):
        lines[1:] = [_STARS.sub("", line, count=1) for line in rest]
    elif marked:
        margin = min(len(line) - len(line.lstrip()) for line in marked)
        lines = [lines[0].lstrip(), *(line[margin:] for line in rest)]
        blank = ""
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple([_text(line.removeprefix(blank).rstrip()) for line in lines])
