"""Finds parts of a Python text again after it was formatted.

A formatter changes white space, parentheses, commas, the quotes and the case of literals, but not the sequence of all other
characters, which are significant here. So a part is found by counting these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

_FREE: Final = b" \t\r\f\v\n(),;\\"
_FREE_BUT_LINES: Final = _FREE.replace(b"\n", b"")
_SAME: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ'", b'abcdefghijklmnopqrstuvwxyz"')
_OUTER: Final = " \t\r\f\v\n(),;\\"
_BLANK_OR_COMMA: Final = str.maketrans("", "", " \t\r\f\v\n,")


class Alignment:
    """The places in `formatted` of the text that consists of `parts`, if it `is_same_text`.

    A place begins with the part `first` and ends before the part `behind`.
    """

    def __init__(self, parts: Sequence[str], formatted: str) -> None:
        self._parts, self._formatted = parts, formatted
        self._is_ascii = formatted.isascii()
        encoded = formatted.encode()
        self.is_same_text: bool = "".join(parts).encode().translate(_SAME, _FREE) == encoded.translate(_SAME, _FREE)
        self._before = [0, *accumulate([len(part.encode().translate(None, _FREE)) for part in parts])]
        self._rows = encoded.split(b"\n")
        lines = self._rows if self._is_ascii else formatted.split("\n")
        self._starts = [0, *accumulate([len(line) + 1 for line in lines])]
        self._after = list(accumulate(map(len, encoded.translate(None, _FREE_BUT_LINES).split(b"\n"))))

    def lines(self, first: int, behind: int) -> tuple[int, int]:
        """Return the place of a part that is whole lines."""
        start, end = self._before[first], self._before[behind]
        left = self._place(start)
        if start == end:
            return left, left
        row = bisect_right(self._after, end)
        if row and self._after[row - 1] == end:  # the next text begins a line
            row -= 1
            while not self._rows[row].strip():
                row -= 1
            line = self._rows[row].rstrip()
            return left, self._starts[row] + (len(line) if self._is_ascii else len(line.decode()))
        right = self._place(end - 1) + 1
        return left, right + len(self._formatted[right : self._place(end)].rstrip())

    def expression(self, first: int, behind: int) -> tuple[int, int]:
        """Return the place of a part that is an expression or an argument."""
        start, end = self._before[first], self._before[behind]
        left = self._place(start)
        if start == end:
            return left, left
        formatted, right = self._formatted, self._place(end - 1) + 1
        if self._parts[first][:1] in ("", "("):
            for character in reversed(self._outer(first)):
                at = left - 1
                while at > 0 and formatted[at].isspace():
                    at -= 1
                left = at if formatted[at : at + 1] == character else left
        if self._parts[behind - 1][-1:] in ("", ")"):
            for character in self._outer(behind - 1, at_end=True):
                at = right
                while formatted[at : at + 1] == "," or formatted[at : at + 1].isspace():
                    at += 1
                right = at + 1 if formatted[at : at + 1] == character else right
        return left, right

    def _outer(self, part: int, *, at_end: bool = False) -> str:
        """The parentheses before the first significant character from `part` on, or behind the last one up to it."""
        outer = ""
        while True:
            text = self._parts[part]
            inner = text.rstrip(_OUTER) if at_end else text.lstrip(_OUTER)
            outer = text[len(inner) :] + outer if at_end else outer + text[: len(text) - len(inner)]
            if inner:
                return outer.translate(_BLANK_OR_COMMA)
            part += -1 if at_end else 1

    def _place(self, number: int) -> int:
        """The offset of the significant byte `number`."""
        row = bisect_right(self._after, number)
        if row == len(self._rows):
            return len(self._formatted)
        line = self._rows[row]
        column = wanted = number - self._after[row - 1] if row else number
        while column and (missing := wanted - len(line[:column].translate(None, _FREE))):
            column += missing
        column = len(line) - len(line[column:].lstrip(_FREE))
        return self._starts[row] + (column if self._is_ascii else len(line[:column].decode(errors="ignore")))
