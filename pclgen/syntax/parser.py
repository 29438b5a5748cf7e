"""The grammar's parser: tokens to a tree, or to the first token that the grammar does not accept.

The tree is built while lark reduces: the children of each rule of `grammar.lark`, tokens and finished nodes, become nodes of
`ast`, bottom up. There is no intermediate tree of lark, and no recursion: operator rows and steps are folded in loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.numbers import read_number
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.ast import Comments
from pclgen.syntax.tokens import MAX_DEPTH, MAX_ROW, NESTING_OPERATORS, Token

if TYPE_CHECKING:
    from lark import Lark


Tree: TypeAlias = Any  # the result of the start rule

class Unexpected(Exception):  # noqa: N818  # control flow inside this package, not an error of a user
    """The grammar does not accept `token`, at `index` (or at the end of the tokens)."""

    def __init__(self, token: Token, index: int) -> None:
        super().__init__(token.type)
        self.token = token
        self.index = index


@cache
def _grammar() -> tuple[Lark, Builder]:
    """Return the LALR parser and the builder that it calls."""
    from pclgen.syntax.tables import load_parser

    builder = Builder()
    return load_parser(builder), builder


class Parser:
    """Parses stretches of the tokens of one source."""

    def __init__(self, source: SourceFile, comments: Comments) -> None:
        self.lark: Lark
        self.builder: Builder
        self.lark, self.builder = _grammar()
        self.source = source
        self.comments = comments

    def parse(self, tokens: Sequence[Token], start: str) -> Tree:
        """Return the tree that the rule `start` builds from `tokens`.

        Raises: Unexpected at the first token that fits nowhere.
        """
        from lark.exceptions import UnexpectedToken

        self.builder.begin(self.source, self.comments)
        run: Any = self.lark.parse_interactive("", start=start)
        feed = run.parser_state.feed_token
        at = tokens[-1].end if tokens else 0
        end = Token("$END", at, at, "")
        index = 0
        token = end
        try:
            for index, token in enumerate(tokens):  # noqa: B007  # both are used after a failure
                feed(token)
            token, index = end, len(tokens)
            return feed(end, True)
        except UnexpectedToken:
            raise Unexpected(token, index) from None

    def accepted(self, tokens: Sequence[Token]) -> frozenset[str]:
        """Return the terminals that an item accepts after its valid beginning `tokens`."""
        self.builder.begin(self.source, Comments(self.source, ()))
        run: Any = self.lark.parse_interactive("", start="line")
        for token in tokens:
            run.parser_state.feed_token(token)
        return frozenset(run.accepts())


# -- the tree ---------------------------------------------------------------------------------------------------------------

Children: TypeAlias = list[Any]  # lark's arguments: tokens and nodes, by the shape of the rule

ClosingComments: TypeAlias = tuple[ast.Comment, ...]

PRECEDENCE: Final = {
    "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6,
}  # fmt: skip  # a table with many short entries a line
"""All are left-associative (language.md, Expressions)."""


class Builder:
    """The callbacks of the grammar, for one source at a time (`begin`).

    `diagnostics` has the mistakes that the grammar accepts.
    """

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def begin(self, source: SourceFile, comments: Comments) -> None:
        """Start to build for `source`."""
        self.source = source
        self.comments = comments
        self.diagnostics = []

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def _name(self, token: Token) -> ast.Name:
        return ast.Name(text=token.value, span=Span(self.source, token.start, token.end))

    # -- lists

    def first(self, c: Children) -> Children:
        return [c[0]]

    def more(self, c: Children) -> Children:
        c[0].append(c[1])
        return c[0]  # type: ignore[no-any-return]  # the list that `first` began

    def more_after(self, c: Children) -> Children:
        c[0].append(c[2])
        return c[0]  # type: ignore[no-any-return]  # the list that `first` began

    # -- items

    def file(self, c: Children) -> ast.Body:
        return self.body(c[0] if c else [], 0, len(self.source.text))

    def line(self, c: Children) -> ast.Item:
        return c[0]  # type: ignore[no-any-return]  # an item

    def head_line(self, c: Children) -> Children:
        return c

    def body(self, items: Sequence[ast.Item], start: int, end: int) -> ast.Body:
        """Return a body between offsets, with its comments."""
        closing: tuple[ast.Comment, ...] = ()
        if self.comments:
            items, closing = self.comments.attach(items, start, end)
        return ast.Body(items=tuple(items), span=self._span(start, end), closing=closing)

    def attribute(self, c: Children) -> ast.Attribute:
        value = c[2]
        return ast.Attribute(name=self._name(c[0]), value=value, span=self._span(c[0].start, value.span.end))

    def block(self, c: Children) -> ast.Block:
        items: Sequence[ast.Item] = ()
        if len(c) > 3:
            inner = c[-2]
            items = inner if isinstance(inner, list) else () if isinstance(inner, Token) else (inner,)
        return self.make_block(c[0], c[1], items, c[-1])

    def make_block(self, head: Children, brace: Token, items: Sequence[ast.Item], close: Token) -> ast.Block:
        """Return a block from its head (type word and labels), braces and items."""
        start = head[0].start
        header: tuple[ast.Comment, ...] = ()
        if self.comments:
            header = self.comments.header(start, brace.end)
        labels = tuple(head[1:])
        self._check_names(items)
        return ast.Block(
            type=self._name(head[0]),
            labels=labels,
            body=self.body(items, brace.end, close.start),
            span=self._span(start, close.end),
            head=self._span(start, labels[-1].span.end if labels else head[0].end),
            open_brace=self._span(brace.start, brace.end),
            header=header,
        )

    def _check_names(self, items: Sequence[ast.Item]) -> None:
        """Report attributes that are set twice in a block (language.md, Programs)."""
        first: dict[str, ast.Name] = {}
        for item in items:
            if isinstance(item, ast.Attribute):
                earlier = first.setdefault(item.name.text, item.name)
                if earlier is not item.name:
                    self.diagnostics.append(say.set_twice(item.name.text, item.name.span, earlier.span))

    def label(self, c: Children) -> ast.Label:
        token = c[0]
        return ast.Label(text=token.value, quoted=token.type == "QSTRING", span=self._span(token.start, token.end))

    # -- operators

    def conditional(self, c: Children) -> ast.Conditional:
        span = self._span(c[0].span.start, c[4].span.end)
        return ast.Conditional(condition=c[0], then=c[2], otherwise=c[4], span=span)

    def row_first(self, c: Children) -> Children:
        return c

    def row_more(self, c: Children) -> Children:
        c[0].append(c[1])
        c[0].append(c[2])
        return c[0]  # type: ignore[no-any-return]  # the list that `row_first` began

    def operations(self, c: Children) -> ast.Expr:
        """Group a row `a + b * c` by precedence, with two stacks."""
        row = c[0]
        if len(row) > 2 * MAX_DEPTH and self._is_too_long(row):
            return row[0]  # type: ignore[no-any-return]  # operands and operators take turns
        operands: list[ast.Expr] = [row[0]]
        operators: list[Token] = []
        for index in range(1, len(row), 2):
            level = PRECEDENCE[row[index].value]
            while operators and PRECEDENCE[operators[-1].value] >= level:
                self._fold(operands, operators)
            operators.append(row[index])
            operands.append(row[index + 1])
        while operators:
            self._fold(operands, operators)
        return operands[0]

    def _is_too_long(self, row: Children) -> bool:
        nesting = [token for token in row[1::2] if token.value in NESTING_OPERATORS]
        extra, limit = (nesting[MAX_DEPTH:], MAX_DEPTH) if len(nesting) > MAX_DEPTH else (row[2 * MAX_ROW - 1 :], MAX_ROW)
        if extra:
            self.diagnostics.append(say.too_long_row(self._span(extra[0].start, extra[0].end), limit))
        return bool(extra)

    def _fold(self, operands: list[ast.Expr], operators: list[Token]) -> None:
        right = operands.pop()
        left = operands[-1]
        span = self._span(left.span.start, right.span.end)
        operands[-1] = ast.Binary(operator=operators.pop().value, left=left, right=right, span=span)

    def unary(self, c: Children) -> ast.Unary:
        return ast.Unary(operator=c[0].value, operand=c[1], span=self._span(c[0].start, c[1].span.end))

    # -- steps

    def step_name(self, c: Children) -> Children:
        return ["name", c[1].end, self._name(c[1])]

    def step_number(self, c: Children) -> Children:
        return ["number", c[1].end, self.number([c[1]])]

    def step_splat(self, c: Children) -> Children:
        return ["splat", c[1].end, self._span(c[1].start, c[1].end)]

    def step_index(self, c: Children) -> Children:
        return ["index", c[2].end, c[1]]

    def step_full(self, c: Children) -> Children:
        return ["full", c[2].end, self._span(c[1].start, c[1].end)]

    def traversal(self, c: Children) -> ast.Expr:
        """Apply steps to a source.  A splat takes the steps after it: `.*` names only, `[*]` all (language.md,
        Expressions)."""
        result: ast.Expr = c[0]
        if isinstance(result, ast.NumberLit) and c[1][0][0] in ("name", "number", "splat"):
            self.diagnostics.append(say.bad_number(self._span(result.span.start, c[1][0][1])))
        if len(c[1]) > MAX_DEPTH:
            self.diagnostics.append(say.too_deep(self._span(result.span.start, c[1][MAX_DEPTH][1]), MAX_DEPTH))
            return result
        waiting: list[tuple[ast.Expr, bool]] = []  # sources of splats whose steps are being collected in `result`
        for kind, end, value in c[1]:
            if waiting and not waiting[-1][1]:
                if kind == "splat":
                    self.diagnostics.append(say.nested_splat(value))
                if kind in ("index", "full", "splat"):
                    result = self._splat(waiting, result)
            span = self._span(result.span.start, end)
            if kind == "name":
                result = ast.GetAttr(source=result, name=value, span=span)
            elif kind == "index" or kind == "number":
                result = ast.Index(source=result, key=value, span=span, legacy=kind == "number")
            else:
                waiting.append((result, kind == "full"))
                result = ast.SplatItem(span=value)
        while waiting:
            result = self._splat(waiting, result)
        return result

    def _splat(self, waiting: list[tuple[ast.Expr, bool]], each: ast.Expr) -> ast.Splat:
        source, full = waiting.pop()
        end = each.span.end
        if full and self.source.text[end : end + 1] == "]" and isinstance(each, ast.SplatItem):
            end += 1
        return ast.Splat(source=source, each=each, full=full, span=self._span(source.span.start, end))

    # -- primaries

    def variable(self, c: Children) -> ast.Expr:
        token = c[0]
        word = token.value
        span = Span(self.source, token.start, token.end)
        if word == "true" or word == "false":
            return ast.BoolLit(value=word == "true", span=span)
        if word == "null":
            return ast.NullLit(span=span)
        if not word:  # a hole in place of a mistake
            return ast.Missing(span=span)
        return ast.Variable(name=word, span=span)

    def number(self, c: Children) -> ast.NumberLit:
        token = c[0]
        span = Span(self.source, token.start, token.end)
        value = read_number(token.value)
        if value is None:
            self.diagnostics.append(say.number_too_large(span))
        return ast.NumberLit(value=value or 0, span=span)

    def string(self, c: Children) -> ast.Template:
        token = c[0]
        span = Span(self.source, token.start, token.end)
        if not token.value:
            return ast.Template(parts=(), span=span)
        inner = Span(self.source, token.start + 1, token.end - 1)
        return ast.Template(parts=(ast.TemplateText(value=token.value, span=inner),), span=span)

    def template(self, c: Children) -> ast.Template:
        return ast.Template(parts=tuple(c[1]) if len(c) > 2 else (), span=self._span(c[0].start, c[-1].end))

    def heredoc(self, c: Children) -> ast.Template:
        word = c[0].value
        marker = ast.Heredoc(marker=word.lstrip("-"), flush=word.startswith("-"))
        parts = tuple(c[1]) if len(c) > 2 else ()
        return ast.Template(parts=parts, span=self._span(c[0].start, c[-1].end), heredoc=marker)

    def parens(self, c: Children) -> ast.Parens:
        return ast.Parens(inner=c[1], span=self._span(c[0].start, c[2].end))

    def callee(self, c: Children) -> Token:
        return c[0]  # type: ignore[no-any-return]  # a token

    def call(self, c: Children) -> ast.Call:
        return ast.Call(
            name=self._name(c[0]),
            args=tuple(c[2]) if len(c) > 3 else (),
            expand=len(c) > 4 and c[3].type == "ELLIPSIS",
            span=self._span(c[0].start, c[-1].end),
        )

    def tuple(self, c: Children) -> ast.TupleExpr:
        start, end = c[0].start, c[-1].end
        elements = [ast.Element(value=value) for value in c[1]] if len(c) > 2 else []
        closing: ClosingComments = ()
        if self.comments:
            elements, closing = self.comments.attach(elements, start + 1, end - 1)
        return ast.TupleExpr(elements=(*elements,), span=self._span(start, end), closing=closing)

    def object(self, c: Children) -> ast.ObjectExpr:
        start, end = c[0].start, c[-1].end
        items = c[1] if len(c) > 2 else []
        closing: ClosingComments = ()
        if self.comments:
            items, closing = self.comments.attach(items, start + 1, end - 1)
        return ast.ObjectExpr(items=(*items,), span=self._span(start, end), closing=closing)

    def pair(self, c: Children) -> ast.ObjectItem:
        key, value = c[0], c[2]
        return ast.ObjectItem(key=self._key(key), value=value, span=self._span(key.span.start, value.span.end))

    def _key(self, key: ast.Expr) -> ast.ObjectKey:
        """Return a key: a plain word or number is literal text, anything else is computed (language.md, Expressions)."""
        match key:
            case ast.Variable() | ast.BoolLit() | ast.NullLit():
                return ast.BareKey(text=key.span.text, span=key.span)
            case ast.NumberLit(value=value):
                text = str(value) if isinstance(value, int) else format(value.normalize(), "f")
                return ast.BareKey(text=text, span=key.span)
            case _:
                return ast.ExprKey(value=key, span=key.span)

    # -- for

    def for_head(self, c: Children) -> Children:
        names = [self._name(token) for token in c[:-2:2]]
        return [names[0] if len(names) > 1 else None, names[-1], c[-1]]

    def tuple_for(self, c: Children) -> ast.ForExpr:
        return self._for(c, None, 4)

    def object_for(self, c: Children) -> ast.ForExpr:
        return self._for(c, c[4], 6)

    def _for(self, c: Children, result_key: ast.Expr | None, at: int) -> ast.ForExpr:
        key, value, collection = c[2]
        group = isinstance(c[at + 1], Token) and c[at + 1].type == "ELLIPSIS"
        if group and result_key is None:
            dots = self._span(c[at + 1].start, c[at + 1].end)
            self.diagnostics.append(say.bad_for(dots, '"..." is not allowed', "list"))
        condition = c[-2] if isinstance(c[-3], Token) and c[-3].type == "IF" else None
        return ast.ForExpr(
            key=key,
            value=value,
            collection=collection,
            result_key=result_key,
            result=c[at],
            group=group,
            condition=condition,
            span=self._span(c[0].start, c[-1].end),
        )

    # -- template parts

    def text(self, c: Children) -> ast.TemplateText:
        return ast.TemplateText(value=c[0].value, span=self._span(c[0].start, c[0].end))

    def interpolation(self, c: Children) -> ast.Interpolation:
        return ast.Interpolation(value=c[1], span=self._span(c[0].start, c[2].end))

    def else_part(self, c: Children) -> Children:
        return ["else", c[2] if len(c) > 2 else []]

    def template_if(self, c: Children) -> ast.TemplateIf:
        then: Children = []
        otherwise: Children = []
        for part in c[3:-2]:
            if part[0] == "else":
                otherwise = part[1]
            else:
                then = part
        span = self._span(c[0].start, c[-1].end)
        return ast.TemplateIf(condition=c[1], then=(*then,), otherwise=(*otherwise,), span=span)

    def template_for(self, c: Children) -> ast.TemplateFor:
        key, value, collection = c[1]
        body = c[3] if len(c) > 5 else []
        span = self._span(c[0].start, c[-1].end)
        return ast.TemplateFor(key=key, value=value, collection=collection, body=(*body,), span=span)
