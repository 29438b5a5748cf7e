"""The atoms that the formatter moves: tokens, whole templates and comments.

`Atom`s are in order. Newlines are no atoms; each atom counts those before it. A template, a heredoc and a comment is one
atom with its text as written.

    a = [1, # one      IDENT  EQUAL  LSQB  NUMBER  COMMA  COMMENT
      "x${b}"]         TEMPLATE (breaks=1)  RSQB
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from pclgen.syntax.tokens import OPERAND_ENDS, Lexed, Token

BRACKETS: Final = frozenset({"LPAR", "LSQB", "LBRACE", "LBLOCK"})
"""Atoms that open a bracket."""

CLOSERS: Final = frozenset({"RPAR", "RSQB", "RBRACE"})
"""Atoms that close a bracket."""

ENDS: Final = (OPERAND_ENDS - {"STAR"}) | {"TEMPLATE", "HEREDOC", "SPLAT"}
"""Atoms that can end an operand."""

_BEGINS = {"OQUOTE": "TEMPLATE", "HEREDOC": "HEREDOC"}
_TEMPLATE_ENDS = frozenset({"CQUOTE", "HEREDOC_END"})


class Atom(Struct, kw_only=True):
    """A token, a whole template or a comment.

    `type` is the terminal, `TEMPLATE`, `HEREDOC`, `COMMENT`, `UNARY` for a prefix operator or `SPLAT` for the `*` of a
    splat; `breaks` counts the newlines before it; `hanging` is for a line that continues the element of a list.
    """

    type: str
    text: str
    breaks: int = 0
    hanging: bool = False


def read_atoms(text: str, lexed: Lexed) -> Iterator[Atom]:
    """Yield tokens without newlines, whole templates, and the comments between them, in order."""
    comments = iter(lexed.comments)
    comment = next(comments, None)
    tokens = [token for token in lexed.tokens if token.type != "NL"]
    index = last = 0
    previous = ""
    while index < len(tokens) or comment is not None:
        if comment is not None and (index == len(tokens) or comment[0] < tokens[index].start):
            kind, (start, end) = "COMMENT", comment
            comment = next(comments, None)
        else:
            stop = _template_end(tokens, index)
            kind, start, end = _kind(previous, tokens[index].type), tokens[index].start, tokens[stop].end
            previous = kind
            index = stop + 1
            while comment is not None and comment[0] < end:  # a comment inside a template stays in its text
                comment = next(comments, None)
        yield Atom(type=kind, text=text[start:end].rstrip(), breaks=text.count("\n", last, start))
        last = end


def _kind(previous: str, kind: str) -> str:
    """Return the type of an atom that begins with a token `kind`, after an atom of type `previous`."""
    if kind in ("MINUS", "BANG") and previous not in ENDS:
        return "UNARY"
    if kind == "STAR" and previous in ("DOT", "LSQB"):
        return "SPLAT"
    return _BEGINS.get(kind, kind)


def _template_end(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the last token of the template, or the single token, that begins at `index`."""
    depth = 0
    while True:
        kind = tokens[index].type
        if kind in _BEGINS:
            depth += 1
        elif kind in _TEMPLATE_ENDS:
            depth -= 1
        if depth == 0:
            return index
        index += 1
