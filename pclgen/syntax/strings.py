"""The values of template text: escapes, doubled marks, heredoc dedent (spec 1.6, 1.7).

Comes in: text as written.  Goes out: its value; for escapes also the places of wrong ones.
"""

from __future__ import annotations

import re

from pclgen.syntax.tokens import Token

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))|(\$\$\{|%%\{)")
_MARKS = re.compile(r"([$%])\1\{")
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def resolve_escapes(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The value of quoted text, and `offset, length` of each escape that means nothing.

    `a\\n` -> a and a newline; `$${` -> `${`; surrogates and numbers beyond Unicode are no characters.
    """
    wrong: list[tuple[int, int]] = []

    def value(found: re.Match[str]) -> str:
        if found[4]:
            return found[4][1:]
        digits = found[1] or found[2]
        if digits:
            number = int(digits, 16)
            if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                return chr(number)
        elif found[3] in _SIMPLE:
            return _SIMPLE[found[3]]
        wrong.append((found.start(), len(found[0])))
        return found[0]

    return _ESCAPE.sub(value, text), wrong


def resolve_marks(text: str) -> str:
    """The value of heredoc text: only `$${` and `%%{` are special."""
    return _MARKS.sub(r"\1{", text) if "{" in text else text


def dedent(tokens: list[Token], first: int) -> None:
    """Remove the smallest indentation from the lines of a `<<-` heredoc, whose parts are `tokens[first:]`.

    Only text at the start of a line counts; blank lines do not, and stay as they are.
    """
    depth = 0
    texts: list[tuple[Token, list[str], bool]] = []
    smallest: int | None = None
    at_line_start = True
    for token in tokens[first:]:
        if token.type == "TEXT" and depth == 0:
            lines = _lines(token.value)
            texts.append((token, lines, at_line_start))
            for line in lines if at_line_start else lines[1:]:
                if line.strip() or not line.endswith("\n"):
                    indent = len(line) - len(line.lstrip())
                    smallest = indent if smallest is None else min(smallest, indent)
            at_line_start = lines[-1].endswith("\n")
            continue
        if depth == 0 and at_line_start:
            smallest, at_line_start = 0, False
        depth += token.type in _OPENS
        depth -= token.type in _CLOSES
    if smallest:
        for token, lines, whole in texts:
            token.value = "".join(
                line if (index == 0 and not whole) or (line.endswith("\n") and not line.strip()) else line[smallest:]
                for index, line in enumerate(lines)
            )


_OPENS = frozenset({"TOPEN", "DIR_IF", "DIR_ELSE", "DIR_ENDIF", "DIR_FOR", "DIR_ENDFOR"})
_CLOSES = frozenset({"TCLOSE"})


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
