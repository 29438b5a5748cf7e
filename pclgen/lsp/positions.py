"""Positions of the protocol: a line and a character in the units of the negotiated encoding.

pclgen counts Unicode code points from the start of a text; an editor counts lines, and in a line the units of UTF-8, UTF-16
or UTF-32. Lines end at `\\n`, `\\r\\n` and `\\r`, as the protocol defines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum

from pclgen.source.text import line_starts

_LINE_END = re.compile("\r\n|\r|\n")


class Encoding(StrEnum):
    """The unit in which characters of a line are counted."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def width(text: str, encoding: Encoding) -> int:
    """Return the number of units in `text`."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text) + sum(c > "\uffff" for c in text)
    return sum(1 + (c > "\x7f") + (c > "\u07ff") + (c > "\uffff") for c in text)


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: Sequence[int] = line_starts(text)
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the line and the character, both from 0, of an offset (clamped to the text)."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return line, width(self.text[self._starts[line] : min(offset, self._end(line))], encoding)

    def _end(self, line: int) -> int:
        """Return the offset of the end of a line, before its line break."""
        if line + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[line + 1] - 1
        return end - 1 if self.text[end - 1 : end + 1] == "\r\n" else end

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the offset of a position: beyond a line its end, inside of a character its start."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._end(line)
        content = self.text[start:end]
        if encoding is Encoding.UTF32 or content.isascii():
            return start + max(0, min(character, len(content)))
        passed = 0
        for index, c in enumerate(content):
            passed += width(c, encoding)
            if passed > character:
                return start + index
        return end
