"""The untyped tree of a PCL file, and the comments of its items.

`syntax.parser` makes it; `bind` and `syntax.format` read it. Every node has a `span`; comments belong to the item they
describe (language.md, Comments). Nothing is resolved or desugared except string escapes, heredoc dedent and strip marks,
which only the lexer can see.

    resource site "aws:s3/bucket:Bucket" {      Block(type=Name("resource"), labels=(Label, Label), body=Body(
      acl = "private"  # why                      items=(Attribute(name=Name("acl"), value=Template(("private",)),
    }                                              trailing=Comment),)))

The lexer finds the comments, and `Comments` attaches them; items are visited innermost containers first. A comment on the
line where an item ends is trailing; before an item, leading; after the last item, closing. A comment inside an item that no
inner container takes trails it on its last line, else leads it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pclgen.source.text import MORE_MARKS, SourceFile, Span, split_lines


class CommentStyle(StrEnum):
    """The style of a comment's marks."""

    HASH = "#"
    SLASHES = "//"
    BLOCK = "/*"


class Comment(Struct, frozen=True, kw_only=True):
    """`# text`, `// text` or `/* text */`.

    `lines` is the text for readers: marks removed, one space after a mark removed, a shared `*` prefix of block comments
    removed; `## text` keeps a mark.  `gap_before`: an empty line, or other text, separates it from the comment before it.
    """

    lines: tuple[str, ...]
    style: CommentStyle
    span: Span
    gap_before: bool = False


class Name(Struct, frozen=True, kw_only=True):
    """An identifier and its span."""

    text: str
    span: Span


class NumberLit(Struct, frozen=True, kw_only=True):
    """`1.50e3`: exact value, and the text as written in `span.text`."""

    value: int | Decimal
    span: Span


class BoolLit(Struct, frozen=True, kw_only=True):
    """`true` or `false`."""

    value: bool
    span: Span


class NullLit(Struct, frozen=True, kw_only=True):
    """`null`."""

    span: Span


class TemplateText(Struct, frozen=True, kw_only=True):
    """Literal text of a template: escapes resolved, strip marks and heredoc dedent applied, NFC not applied."""

    value: str
    span: Span


class Interpolation(Struct, frozen=True, kw_only=True):
    """`${ value }`; the span includes the marks."""

    value: Expr
    span: Span


class TemplateIf(Struct, frozen=True, kw_only=True):
    """`%{ if condition }then%{ else }otherwise%{ endif }`."""

    condition: Expr
    then: tuple[TemplatePart, ...]
    otherwise: tuple[TemplatePart, ...]
    span: Span


class TemplateFor(Struct, frozen=True, kw_only=True):
    """`%{ for key, value in collection }body%{ endfor }`; `key` is None in the one-variable form."""

    key: Name | None
    value: Name
    collection: Expr
    body: tuple[TemplatePart, ...]
    span: Span


TemplatePart: TypeAlias = TemplateText | Interpolation | TemplateIf | TemplateFor


class Heredoc(Struct, frozen=True, kw_only=True):
    """The start of a heredoc: its marker, and whether it was `<<-`."""

    marker: str
    flush: bool


class Template(Struct, frozen=True, kw_only=True):
    """`"a ${b}"` or a heredoc.

    A template of a single interpolation is the interpolated expression itself (language.md, Templates); the tree keeps it as
    written, the binder unwraps it.
    """

    parts: tuple[TemplatePart, ...]
    span: Span
    heredoc: Heredoc | None = None


class Variable(Struct, frozen=True, kw_only=True):
    """A name in expression position: `bucket`."""

    name: str
    span: Span


class GetAttr(Struct, frozen=True, kw_only=True):
    """`source.name`; the span of the step is `name.span`, the node's span includes the source."""

    source: Expr
    name: Name
    span: Span


class Index(Struct, frozen=True, kw_only=True):
    """`source[key]`, or the legacy `source.0` (`legacy` true, `key` a `NumberLit`)."""

    source: Expr
    key: Expr
    span: Span
    legacy: bool = False


class SplatItem(Struct, frozen=True, kw_only=True):
    """The anonymous item inside a splat's `each`; `span` is that of the `*` mark."""

    span: Span


class Splat(Struct, frozen=True, kw_only=True):
    """`source.*.a` (`full` false) or `source[*].a[0]`: `each` is the steps applied to a `SplatItem`."""

    source: Expr
    each: Expr
    full: bool
    span: Span


class Call(Struct, frozen=True, kw_only=True):
    """`name(args)`; `expand` is true for `f(xs...)`; a namespaced name holds its `::`."""

    name: Name
    args: tuple[Expr, ...]
    expand: bool
    span: Span


class Unary(Struct, frozen=True, kw_only=True):
    """`-x` or `!x`."""

    operator: str
    operand: Expr
    span: Span


class Binary(Struct, frozen=True, kw_only=True):
    """`left operator right`."""

    operator: str
    left: Expr
    right: Expr
    span: Span


class Conditional(Struct, frozen=True, kw_only=True):
    """`condition ? then : otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


class Element(Struct, frozen=True, kw_only=True):
    """One element of a list literal with the comments around it."""

    value: Expr
    leading: tuple[Comment, ...] = ()
    trailing: tuple[Comment, ...] = ()


class TupleExpr(Struct, frozen=True, kw_only=True):
    """`[a, b]`; `closing` are the comments before `]`."""

    elements: tuple[Element, ...]
    span: Span
    closing: tuple[Comment, ...] = ()


class BareKey(Struct, frozen=True, kw_only=True):
    """An object key that is a plain word or number: literal text, never a reference."""

    text: str
    span: Span


class ExprKey(Struct, frozen=True, kw_only=True):
    """A computed key: `(expr)`, `"quoted ${x}"` or the dotted path `a.b` (language.md, Expressions)."""

    value: Expr
    span: Span


ObjectKey: TypeAlias = BareKey | ExprKey


class ObjectItem(Struct, frozen=True, kw_only=True):
    """`key = value` with the comments around it."""

    key: ObjectKey
    value: Expr
    span: Span
    leading: tuple[Comment, ...] = ()
    trailing: tuple[Comment, ...] = ()


class ObjectExpr(Struct, frozen=True, kw_only=True):
    """`{ k = v }`; `closing` are the comments before `}`."""

    items: tuple[ObjectItem, ...]
    span: Span
    closing: tuple[Comment, ...] = ()


class ForExpr(Struct, frozen=True, kw_only=True):
    """`[for k, v in xs : value if condition]`, or with `result_key` `{for … : result_key => value... if condition}`."""

    key: Name | None
    value: Name
    collection: Expr
    result_key: Expr | None
    result: Expr
    group: bool
    condition: Expr | None
    span: Span


class Parens(Struct, frozen=True, kw_only=True):
    """`(inner)`: kept for the formatter, transparent to the binder."""

    inner: Expr
    span: Span


class Missing(Struct, frozen=True, kw_only=True):
    """The place of an expression with a reported syntax error; the binder does not report it again."""

    span: Span


Expr: TypeAlias = (
    NumberLit
    | BoolLit
    | NullLit
    | Template
    | Variable
    | GetAttr
    | Index
    | SplatItem
    | Splat
    | Call
    | Unary
    | Binary
    | Conditional
    | TupleExpr
    | ObjectExpr
    | ForExpr
    | Parens
    | Missing
)


class Attribute(Struct, frozen=True, kw_only=True):
    """`name = value` in a body; at top level, a local variable."""

    name: Name
    value: Expr
    span: Span
    leading: tuple[Comment, ...] = ()
    trailing: tuple[Comment, ...] = ()


class Label(Struct, frozen=True, kw_only=True):
    """A block label: a bare word or a quoted literal; `text` has its escapes resolved."""

    text: str
    quoted: bool
    span: Span


class Block(Struct, frozen=True, kw_only=True):
    """`type label… { body }`.

    `leading` are the comments above it, `header` the comments between the type word and the first line of the body (after
    `{`), `trailing` those on the line of the closing brace.  `head` spans type and labels, `open_brace` the `{`.
    """

    type: Name
    labels: tuple[Label, ...]
    body: Body
    span: Span
    head: Span
    open_brace: Span
    leading: tuple[Comment, ...] = ()
    header: tuple[Comment, ...] = ()
    trailing: tuple[Comment, ...] = ()


Item: TypeAlias = Attribute | Block


class Body(Struct, frozen=True, kw_only=True):
    """Items in source order; `closing` are the comments after the last item, before `}` or the end of the file."""

    items: tuple[Item, ...]
    span: Span
    closing: tuple[Comment, ...] = ()


class LocalPackage(Struct, frozen=True, kw_only=True):
    """`name: source` among the packages of a program in Pulumi YAML: a folder, relative to the program's folder."""

    name: str
    source: str


class File(Struct, frozen=True, kw_only=True):
    """A whole file.

    `guessed` is the configuration whose type its uses decide.  `header` are the comments about the file: those at its top
    that an empty line separates from the first item.  `packages` are those with a path of this machine in Pulumi YAML.
    """

    source: SourceFile
    body: Body
    header: tuple[Comment, ...] = ()
    guessed: frozenset[str] = frozenset()
    packages: tuple[LocalPackage, ...] = ()


# -- comments ---------------------------------------------------------------------------------------------------------------

Commented: TypeAlias = Attribute | Block | Element | ObjectItem
_T = TypeVar("_T", Item, Element, ObjectItem)

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

    def _take(self, index: int) -> Comment:
        self.taken[index] = 1
        start, end = self.places[index]
        return make_comment(self.source, start, end)

    def header(self, start: int, brace_end: int) -> tuple[Comment, ...]:
        """Return the comments of a block's head, up to the end of the line of its `{`."""
        line_end = self.text.find("\n", brace_end)
        stop = line_end if line_end >= 0 else len(self.text)
        if not (indices := self._free(start, stop)):
            return ()
        between = self.text[brace_end : self.places[indices[-1]][0]]
        if any(ch not in " \t" for ch in re.sub(r"/\*.*?\*/", "", between)):  # a block on one line
            indices = [index for index in indices if self.places[index][0] < brace_end]
        return tuple(self._take(index) for index in indices)

    def attach(self, items: Sequence[_T], start: int, end: int) -> tuple[list[_T], tuple[Comment, ...]]:
        """Return the items of the container between offsets with their comments, and the comments after the last item."""
        indices = self._free(start, end)
        result = list(items)
        if not indices:
            return result, ()
        spans = [item.value.span if isinstance(item, Element) else item.span for item in items]
        leading: dict[int, list[Comment]] = {}
        trailing: dict[int, list[Comment]] = {}
        closing: list[Comment] = []
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


def make_comment(source: SourceFile, start: int, end: int) -> Comment:
    """Return the comment between offsets."""
    text = source.text[start:end]
    before = source.text[max(0, start - 400) : start]
    span = Span(source, start, end)
    gap = _GAP.search(before) is not None
    if text.startswith("/*"):
        return Comment(lines=_block_lines(text), style=CommentStyle.BLOCK, span=span, gap_before=gap)
    style = CommentStyle.HASH if text[0] == "#" else CommentStyle.SLASHES
    return Comment(lines=comment_lines(text[len(style.value) :], style), style=style, span=span, gap_before=gap)


def comment_lines(text: str, style: CommentStyle) -> tuple[str, ...]:
    """Return the lines of the `text` behind the mark of a comment that extends to the end of its line.

    `## a` is the text `# a`, `/// a` is `a`; a line of only marks keeps them.
    """
    more = text[: len(text) - len(text.lstrip(style.value[0]))]
    text = text[len(more) :]
    # Another language ends a comment at characters that are within a line here.
    lines = [_text(line.rstrip().removeprefix(" ")) for line in split_lines(text)] or [""]
    if more and (style is CommentStyle.HASH or not lines[0]):
        lines[0] = f"{more} {lines[0]}".rstrip()
    return tuple(lines)


def _text(line: str) -> str:
    """Return the text of a line whose text itself begins with `#`, which is no mark."""
    return f" {line}" if MORE_MARKS.match(line) else line


def split_header(source: SourceFile, body: Body) -> tuple[tuple[Comment, ...], Body]:
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
