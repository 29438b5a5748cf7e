"""The untyped tree of a PCL file.

`syntax.build` makes it; `bind` and `syntax.format` read it. Every node has a `span`; comments belong to the item they
describe (language.md, Comments). Nothing is resolved or desugared except string escapes, heredoc dedent and strip marks,
which only the lexer can see.

    resource site "aws:s3/bucket:Bucket" {      Block(type=Name("resource"), labels=(Label, Label), body=Body(
      acl = "private"  # why                      items=(Attribute(name=Name("acl"), value=Template(("private",)),
    }                                              trailing=Comment),)))
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from pclgen.source.text import SourceFile, Span


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
