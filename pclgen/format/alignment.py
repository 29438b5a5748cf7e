"""Locates parts of a Python text after formatting.

A formatter changes white space, parentheses, commas, quotes, and the case of literals. All other characters, the significant
ones, keep their order, so counting them locates a part.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress
from typing import Final

_FREE: Final = b" \t\r\f\v\n(),;\\"
_SAME: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ'", b'abcdefghijklmnopqrstuvwxyz"')
_IS_SIGNIFICANT: Final = bytes([character not in _FREE for character in range(256)])
_OUTER: Final = _FREE.decode()
_CUT: Final = "\x00"
_BLANK_OR_COMMA: Final = str.maketrans("", "", " \t\r\f\v\n,")


class Alignment:
    """Locates the parts of a text in its formatted version.

    `is_same_text` is false if `formatted` has other significant characters than `parts`; then it has no places. A place
    begins with the part `first` and ends before the part `behind`.
    """

    def __init__(self, parts: Sequence[str], formatted: str) -> None:
        self._parts, self._formatted = parts, formatted
        same = "".join(parts).encode().translate(_SAME, _FREE)
        self.is_same_text: bool = same == formatted.encode().translate(_SAME, _FREE)
        pieces = _bytes(_CUT.join(parts)).translate(None, _FREE).split(_CUT.encode())
        before = [0, *accumulate(map(len, pieces))]
        significant = _bytes(formatted).translate(_IS_SIGNIFICANT)
        offsets = [*compress(range(len(formatted)), significant), len(formatted)]
        self._starts = [offsets[number] for number in before]
        self._ends = [offsets[number - 1] + 1 if number else 0 for number in before]

    def lines(self, first: int, behind: int) -> tuple[int, int]:
        """Return the place of parts that are whole lines."""
        left, right, following = self._starts[first], self._ends[behind], self._starts[behind]
        if left >= right:
            return left, left
        formatted = self._formatted
        line_end = formatted.rfind("\n", right, following)
        return left, right + len(formatted[right : following if line_end < 0 else line_end].rstrip())

    def expression(self, first: int, behind: int) -> tuple[int, int]:
        """Return the place of parts that are an expression or an argument, with its outer parentheses."""
        left, right = self._starts[first], self._ends[behind]
        if left >= right:
            return left, left
        if self._parts[first][:1] in ("", "("):
            for character in reversed(self._outer(first)):
                left = self._with_left(character, left)
        if self._parts[behind - 1][-1:] in ("", ")"):
            for character in self._outer(behind - 1, at_end=True):
                right = self._with_right(character, right)
        return left, right

    def _with_left(self, character: str, left: int) -> int:
        """Return the place of `character` if only white space separates it from `left`, otherwise `left`."""
        formatted, at = self._formatted, left - 1
        while at > 0 and formatted[at].isspace():
            at -= 1
        return at if formatted[at : at + 1] == character else left

    def _with_right(self, character: str, right: int) -> int:
        """Return the end of `character` if only commas and white space separate it from `right`, otherwise `right`."""
        formatted, at = self._formatted, right
        while formatted[at : at + 1] == "," or formatted[at : at + 1].isspace():
            at += 1
        return at + 1 if formatted[at : at + 1] == character else right

    def _outer(self, part: int, *, at_end: bool = False) -> str:
        """Return the parentheses before the first significant character that follows the start of `part`.

        With `at_end`, return those after the last significant character that precedes the end of `part`.
        """
        outer = ""
        while True:
            text = self._parts[part]
            inner = text.rstrip(_OUTER) if at_end else text.lstrip(_OUTER)
            outer = text[len(inner) :] + outer if at_end else outer + text[: len(text) - len(inner)]
            if inner:
                return outer.translate(_BLANK_OR_COMMA)
            part += -1 if at_end else 1


def _bytes(text: str) -> bytes:
    """Return `text` with one byte per character."""
    return text.encode("ascii", "replace")
