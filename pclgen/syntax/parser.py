"""The grammar's parser: tokens to a tree, or to the first token that the grammar does not accept."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from pclgen.source.text import SourceFile
from pclgen.syntax.build import Builder
from pclgen.syntax.comments import Comments
from pclgen.syntax.tokens import Token

if TYPE_CHECKING:
    from collections.abc import Sequence

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
