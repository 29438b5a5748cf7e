"""Finds parts of a Python text again after it was formatted.

A formatter changes white space, brackets, commas and the spelling of literals, but not the sequence of words, numbers,
strings and comments. So a part is found by counting these.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import methodcaller
from typing import Final

_TOKEN: Final = re.compile(
    r"""\w+|\"(?:\"\"(?:[^\\"]+|\\.|\"(?!\"\"))*\"\"\"|(?:[^"\\\n]+|\\.)*\")"""
    r"""|'(?:''(?:[^\\']+|\\.|'(?!''))*'''|(?:[^'\\\n]+|\\.)*')|\#[^\n]*""",
    re.DOTALL,
)
"""A prefix of a string is a word of its own."""
_SPAN: Final = methodcaller("span")


class Alignment:
    """The places in `formatted` of parts of `text`, by their offsets. Both have the same tokens if `is_same_text`."""

    def __init__(self, text: str, formatted: str) -> None:
        self._text, self._formatted = text, formatted
        self._before = list(map(_SPAN, _TOKEN.finditer(text)))
        self._starts = [start for start, _ in self._before]
        self._after = list(map(_SPAN, _TOKEN.finditer(formatted)))
        self.is_same_text: bool = len(self._before) == len(self._after)
        self._after.append((len(formatted), len(formatted)))

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """Return the place of a part that is whole lines."""
        first, behind = self._tokens(start, end)
        if first == behind:
            return self._after[first][0], self._after[first][0]
        # Behind the last token there may be brackets and commas, on lines before that of the next token.
        last, following = self._after[behind - 1][1], self._after[behind][0]
        line_end = self._formatted.rfind("\n", last, following)
        rest = self._formatted[last : line_end if line_end != -1 else following].rstrip()
        return self._after[first][0], last + len(rest)

    def expression(self, start: int, end: int) -> tuple[int, int]:
        """Return the place of a part that is an expression or an argument."""
        first, behind = self._tokens(start, end)
        if first == behind:  # brackets without anything in them
            own = self._text[start:end]
            at = self._formatted.find(own, self._after[first - 1][1] if first else 0, self._after[first][0])
            return (at, at + len(own)) if at != -1 else (self._after[first][0], self._after[first][0])
        formatted, left, right = self._formatted, self._after[first][0], self._after[behind - 1][1]
        for character in reversed("".join(self._text[start : self._before[first][0]].split())):
            at = left - 1
            while at > 0 and formatted[at].isspace():
                at -= 1
            left = at if formatted[at : at + 1] == character else left
        for character in "".join(self._text[self._before[behind - 1][1] : end].split()).replace(",", ""):
            at = right
            while formatted[at : at + 1] == "," or formatted[at : at + 1].isspace():
                at += 1
            right = at + 1 if formatted[at : at + 1] == character else right
        return left, right

    def _tokens(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._starts, start), bisect_left(self._starts, end)
