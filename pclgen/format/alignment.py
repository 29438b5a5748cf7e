"""Finds parts of a Python text again after it was formatted.

A formatter changes white space, brackets, commas and the spelling of literals, but not the sequence of words, numbers,
strings and comments. So a part is found by counting these.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

_TOKEN: Final = re.compile(
    r"""\w+|\"(?:\"\"(?:[^\\"]+|\\.|\"(?!\"\"))*\"\"\"|(?:[^"\\\n]+|\\.)*\")"""
    r"""|'(?:''(?:[^\\']+|\\.|'(?!''))*'''|(?:[^'\\\n]+|\\.)*')|\#[^\n]*""",
    re.DOTALL,
)
"""A prefix of a string is a word of its own."""


def find_again(text: str, formatted: str, parts: Iterable[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """The offsets in `formatted` of `parts` of `text`, which contain whole lines or arguments.

    None if `formatted` is not the same text in another layout.
    """
    before = [found.start() for found in _TOKEN.finditer(text)]
    after = [found.span() for found in _TOKEN.finditer(formatted)]
    if len(before) != len(after):
        return None
    after.append((len(formatted), len(formatted)))
    result: list[tuple[int, int]] = []
    for start, end in parts:
        first, behind = bisect_left(before, start), bisect_left(before, end)
        if first == behind:
            result.append((after[first][0], after[first][0]))
            continue
        # Behind the last token there may be brackets and commas, on lines before that of the next token.
        last, following = after[behind - 1][1], after[behind][0]
        line_end = formatted.rfind("\n", last, following)
        rest = formatted[last : line_end if line_end != -1 else following].rstrip()
        result.append((after[first][0], last + len(rest)))
    return result
