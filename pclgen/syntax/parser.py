"""Bytes to text, text to tree.

Comes in: the bytes of a file.  Goes out: `SourceFile`, `ast.File`, `ast.Expr`; mistakes go into the bag.  A file without
mistakes is parsed in one run.  When that fails the tokens are divided into items (`recover`), so that each mistake is
reported once and the rest of the file is still checked.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeAlias

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.build import Builder
from pclgen.syntax.comments import Comments
from pclgen.syntax.lexer import lex
from pclgen.syntax.tokens import Token

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lark import Lark
    from lark.lexer import LexerState

Tree: TypeAlias = Any  # what the start rule builds

BOM = b"\xef\xbb\xbf"


class Unexpected(Exception):  # noqa: N818  # control flow inside this package, not an error of a user
    """The grammar has no use for `token`, the one at `index` (or the end of what was to be parsed by the rule `start`)."""

    def __init__(self, token: Token, index: int, start: str) -> None:
        super().__init__(token.type)
        self.token = token
        self.index = index
        self.start = start


@cache
def _grammar() -> tuple[Lark, Builder]:
    """The LALR parser and the builder that it calls; made once, it takes a tenth of a second."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Tokens are fed by hand."""

        def __init__(self, _conf: object) -> None: ...

        def lex(self, _lexer_state: LexerState, _parser_state: object) -> Iterator[Any]:
            return iter(())

    builder = Builder()
    grammar = resources.files("pclgen.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    lark = Lark(
        grammar,
        parser="lalr",
        lexer=NoLexer,
        start=["file", "line", "head_line", "lone"],
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=builder,
    )
    return lark, builder


class Parser:
    """Parses stretches of the tokens of one source."""

    def __init__(self, source: SourceFile, comments: Comments) -> None:
        self.lark, self.builder = _grammar()
        self.source = source
        self.comments = comments

    def parse(self, tokens: Sequence[Token], start: str) -> Tree:
        """What the rule `start` makes of `tokens`.

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
            raise Unexpected(token, index, start) from None

    def accepted(self, tokens: Sequence[Token], start: str) -> frozenset[str]:
        """The terminals that the rule `start` could take after `tokens`, a good beginning."""
        self.builder.begin(self.source, Comments(self.source, ()))
        run: Any = self.lark.parse_interactive("", start=start)
        for token in tokens:
            run.parser_state.feed_token(token)
        return frozenset(run.accepts())


def decode_source(name: str, data: bytes, bag: DiagnosticBag) -> SourceFile:
    """The text of a file: UTF-8, without its byte-order mark.  Bytes that are not UTF-8 are reported and become U+FFFD."""
    skipped = len(BOM) if data.startswith(BOM) else 0
    data = data[skipped:]
    try:
        return SourceFile(name, data.decode("utf-8"))
    except UnicodeDecodeError as failure:
        offset = len(data[: failure.start].decode("utf-8"))
        source = SourceFile(name, data.decode("utf-8", errors="replace"))
        bag.add(say.invalid_utf8(Span(source, offset, offset + 1), data[failure.start], skipped + failure.start))
        return source


def parse_file(source: SourceFile, bag: DiagnosticBag) -> ast.File:
    """The tree of a file.  After mistakes (reported to `bag`) it has the items that could be read, with `Missing` values."""
    lexed = lex(source, mended=bag.has_errors)
    comments = Comments(source, lexed.comments)
    parser = Parser(source, comments)
    if not lexed.diagnostics and not lexed.strays:
        try:
            body = parser.parse(lexed.tokens, "file")
        except Unexpected:
            comments.release(0, len(source.text))
        else:
            bag.extend(parser.builder.diagnostics)
            return ast.File(source=source, body=body)
    from pclgen.syntax.recover import recover_file

    if lexed.unbalanced and not lexed.cut_off:
        lexed = lex(source, unbalanced=lexed, mended=bag.has_errors)
        comments = Comments(source, lexed.comments)
        parser = Parser(source, comments)
    return ast.File(source=source, body=recover_file(parser, lexed, bag))


def parse_expression(source: SourceFile, bag: DiagnosticBag) -> ast.Expr:
    """The tree of a text that is one expression (a type label); `Missing` when it is none, which is reported."""
    lexed = lex(source, expression=True)
    parser = Parser(source, Comments(source, ()))
    bag.extend(lexed.diagnostics)
    bag.extend(lexed.strays)
    result: ast.Expr = ast.Missing(span=Span(source, 0, len(source.text)))
    try:
        result = parser.parse(lexed.tokens, "lone")
        bag.extend(parser.builder.diagnostics)
    except Unexpected as failure:
        if not lexed.diagnostics and not lexed.strays:
            from pclgen.syntax.mistakes import diagnose

            bag.add(diagnose(parser, lexed.tokens, failure))
    return result
