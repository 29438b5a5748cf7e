"""The values of template text: escapes, doubled marks, heredoc dedent (language.md, Templates; Heredocs).

`resolve_escapes` also returns the offsets of invalid escapes.
"""

from __future__ import annotations

import re
from typing import Final

from pclgen.syntax.tokens import Token

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|([\s\S]))|(\$\$\{|%%\{)")
_MARKS = re.compile(r"([$%])\1\{")
BLANKS: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""The blanks of strip marks and dedent: the white space of Unicode."""

_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def resolve_escapes(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the value of quoted text, and `offset, length` of each invalid escape.

    `a\\n` -> a and a newline; `$${` -> `${`; surrogates and numbers beyond Unicode are invalid.
    """
    wrong: list[tuple[int, int]] = []

    def value(escape: re.Match[str]) -> str:
        if escape[4]:
            return escape[4][1:]
        digits = escape[1] or escape[2]
        if digits:
            number = int(digits, 16)
            if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                return chr(number)
        elif escape[3] in _SIMPLE:
            return _SIMPLE[escape[3]]
        wrong.append((escape.start(), len(escape[0])))
        return escape[0]

    return _ESCAPE.sub(value, text), wrong


def resolve_marks(text: str) -> str:
    """Return the value of heredoc text: only `$${` and `%%{` are special."""
    return _MARKS.sub(r"\1{", text) if "{" in text else text


def dedent(tokens: list[Token], first: int) -> None:
    """Remove the smallest indentation from the lines of a `<<-` heredoc, whose parts are `tokens[first:]`, one text a line.

    A line that begins with an interpolation has no indentation. Blank lines do not count, and stay unchanged. As in the
    reference implementation, strip marks apply first: a line that a mark has joined to the line above does not count.
    """
    depth = 0
    smallest: int | None = None
    indented: list[Token] = []
    at_line_start = True
    for token in tokens[first:]:
        if depth == 0 and token.type not in _CLOSES:
            text = token.value if token.type == "TEXT" else ""
            if at_line_start and (text.strip(BLANKS) or not text.endswith("\n")):
                indent = len(text) - len(text.lstrip(BLANKS))
                smallest = indent if smallest is None else min(smallest, indent)
                if token.type == "TEXT":
                    indented.append(token)
            at_line_start = text.endswith("\n")
        depth += token.type in _OPENS
        depth -= token.type in _CLOSES
    for token in indented if smallest else ():
        token.value = token.value[smallest:]


def join_texts(tokens: list[Token], first: int) -> None:
    """Make one token of each run of texts in `tokens[first:]`."""
    joined: list[Token] = []
    values: list[str] = []
    for token in tokens[first:]:
        if token.type == "TEXT" and values:
            values.append(token.value)
            joined[-1].end = token.end
            continue
        if len(values) > 1:
            joined[-1].value = "".join(values)
        values = [token.value] if token.type == "TEXT" else []
        joined.append(token)
    if len(values) > 1:
        joined[-1].value = "".join(values)
    tokens[first:] = joined


_OPENS = frozenset({"TOPEN", "DIR_IF", "DIR_ELSE", "DIR_ENDIF", "DIR_FOR", "DIR_ENDFOR"})
_CLOSES = frozenset({"TCLOSE"})
