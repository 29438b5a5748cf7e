"""The tokens of PCL, which the lexer makes, the grammar names and the formatter lays out.

name = "x${b}"   ->  IDENT EQUAL OQUOTE TEXT TOPEN IDENT TCLOSE CQUOTE NL
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics.model import Diagnostic

MAX_DEPTH: Final = 100
"""Maximum nesting of brackets, prefix operators, conditionals, directives, and rows of steps: later phases recurse."""

MAX_ROW: Final = 500
"""Maximum number of operands in a row of operators: the compilers of the generated code recurse over it."""

NESTING_OPERATORS: Final = frozenset(("==", "!=", "<", "<=", ">", ">=", "%"))
"""Operators that become calls or brackets around their left operand: each in a row is a level of nesting."""


class Token(Struct, eq=False, gc=False):
    """One token: grammar terminal `type`, offsets `start:end`, and `value`: the word, the operator, or resolved text."""

    type: str
    start: int
    end: int
    value: str

    def __repr__(self) -> str:
        return f"{self.type}@{self.start}:{self.end}"


class Lexed(Struct):
    """The result of lexing a text.

    `comments` are the `start, end` offsets of comments in order.  `faults` and `wide_faults` are the positions of
    `diagnostics`: the first concern one token, after the others all tokens of the item are in doubt.  `strays` are about
    closing brackets that close nothing: each is a mistake unless another in the item explains it.  `unbalanced` means that
    brackets do not match, so that the division into items is in doubt; `too_deep` that the rest was not read, `cut_off`
    that the structure of the rest is unknown.
    """

    tokens: list[Token] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    strays: list[Diagnostic] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    wide_faults: list[int] = field(default_factory=list)
    unbalanced: bool = False
    too_deep: bool = False
    cut_off: bool = False


SYMBOLS = {
    "=": "EQUAL", "=>": "ARROW", ",": "COMMA", ".": "DOT", "...": "ELLIPSIS", "?": "QMARK", ":": "COLON",
    "!": "BANG", "-": "MINUS", "*": "STAR", "+": "BINOP", "/": "BINOP", "%": "BINOP", "&&": "BINOP", "||": "BINOP",
    "==": "BINOP", "!=": "BINOP", "<": "BINOP", "<=": "BINOP", ">": "BINOP", ">=": "BINOP",
}  # fmt: skip  # a table with many short entries a line
"""Terminals of operators and punctuation; those of brackets depend on the context."""

OPERAND_ENDS = frozenset({"IDENT", "NUMBER", "QSTRING", "CQUOTE", "HEREDOC_END", "RPAR", "RSQB", "RBRACE", "STAR"})
"""Terminals that can end an operand."""

OPENING = frozenset({
    "LPAR", "LSQB", "LBRACE", "LBLOCK", "OQUOTE", "HEREDOC", "TOPEN",
    "DIR_IF", "DIR_ELSE", "DIR_ENDIF", "DIR_FOR", "DIR_ENDFOR",
})  # fmt: skip  # a table with many short entries a line
"""Terminals that open a bracket, a template or a part of a template; the lexer closes all of them, so they balance."""

CLOSING = frozenset({"RPAR", "RSQB", "RBRACE", "CQUOTE", "HEREDOC_END", "TCLOSE"})
"""Terminals that close a bracket, a template or a part of a template."""
