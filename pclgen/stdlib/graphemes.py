"""User-perceived characters (Unicode grapheme clusters, UAX #29) of a text, and their number for `length`.

Written over `unicodedata`, as no dependency is worth one function: the break rules GB3-GB13 are all here, and the few code
points whose class `unicodedata` lacks are listed.  Emoji are recognized by block, which is more than UAX #29 has, but
matters only after a zero-width joiner.  The conjunct rule GB9c (Unicode 15.1) is omitted, as the reference host has
Unicode 15.0.

    "é" written as e + U+0301 → 1      "👩‍🚀" → 1      "🇨🇭🇫🇷" → 2      "\\r\\n" → 1
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from enum import IntEnum, auto
from itertools import pairwise


class _Class(IntEnum):
    OTHER = auto()
    CONTROL = auto()
    CR = auto()
    LF = auto()
    EXTEND = auto()  # also spacing marks: nothing breaks before either
    JOINER = auto()
    PREPEND = auto()
    REGIONAL = auto()
    PICTURE = auto()
    HANGUL_L = auto()
    HANGUL_V = auto()
    HANGUL_T = auto()
    HANGUL_LV = auto()
    HANGUL_LVT = auto()


def _spread(*ranges: tuple[int, int]) -> frozenset[int]:
    return frozenset(code for first, last in ranges for code in range(first, last + 1))


_PREPEND = _spread(
    (0x600, 0x605), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2), (0xD4E, 0xD4E),
    (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x111C2, 0x111C3), (0x1193F, 0x1193F), (0x11941, 0x11941),
    (0x11A3A, 0x11A3A), (0x11A84, 0x11A89), (0x11D46, 0x11D46), (0x11F02, 0x11F02),
)  # fmt: skip  # a table with many short entries a line
# Extend or spacing marks although their category is not that of marks: joiner controls, Thai and Lao vowels, half-width
# voice marks, emoji modifiers and tags.
_EXTEND = _spread(
    (0x200C, 0x200C), (0xE33, 0xE33), (0xEB3, 0xEB3), (0xFF9E, 0xFF9F), (0x1F3FB, 0x1F3FF), (0xE0020, 0xE007F)
)  # fmt: skip  # a table with many short entries a line
# Marks (category Mc) that are neither.
_NOT_EXTEND = _spread(
    (0x102B, 0x102C), (0x1038, 0x1038), (0x1062, 0x1064), (0x1067, 0x106D), (0x1083, 0x1083), (0x1087, 0x108C),
    (0x108F, 0x108F), (0x109A, 0x109C), (0x1A61, 0x1A61), (0x1A63, 0x1A64), (0xAA7B, 0xAA7B), (0xAA7D, 0xAA7D),
    (0x11720, 0x11721),
)  # fmt: skip  # a table with many short entries a line
_PICTURES_BELOW = frozenset((0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139, 0x3030, 0x303D, 0x3297, 0x3299))
_MARKS = frozenset(("Mn", "Mc", "Me"))
_CONTROLS = frozenset(("Cc", "Cf", "Zl", "Zp", "Cs"))


def grapheme_length(text: str) -> int:
    """Return the number of characters that a reader sees in `text`."""
    if text.isascii():
        return len(text) - text.count("\r\n")
    return sum(1 for _ in _starts(text))


def graphemes(text: str) -> list[str]:
    """Return the characters that a reader sees in `text`."""
    starts = [*_starts(text), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def _starts(text: str) -> Iterator[int]:
    """Yield the offsets at which the clusters of `text` begin."""
    before = _Class.CONTROL
    flags = 0  # regional indicators in a row before this one
    picture = joined = False  # a picture with its extenders stands before; and a joiner after it
    for position, character in enumerate(text):
        here = _classify(character)
        if _breaks(before, here, flags, joined):
            yield position
        joined = picture and here is _Class.JOINER
        picture = here is _Class.PICTURE or (picture and here is _Class.EXTEND)
        flags = flags + 1 if here is _Class.REGIONAL else 0
        before = here


def _breaks(before: _Class, here: _Class, flags: int, joined: bool) -> bool:
    """Return whether a cluster ends between two neighbors."""
    c = _Class
    if before is c.CR and here is c.LF:
        return False
    if before in (c.CONTROL, c.CR, c.LF) or here in (c.CONTROL, c.CR, c.LF):
        return True
    if here in (c.EXTEND, c.JOINER) or before is c.PREPEND:
        return False
    if here is c.PICTURE and joined:
        return False
    if here is c.REGIONAL and before is c.REGIONAL:
        return flags % 2 == 0
    if before is c.HANGUL_L:
        return here not in (c.HANGUL_L, c.HANGUL_V, c.HANGUL_LV, c.HANGUL_LVT)
    if before in (c.HANGUL_LV, c.HANGUL_V):
        return here not in (c.HANGUL_V, c.HANGUL_T)
    return not (before in (c.HANGUL_LVT, c.HANGUL_T) and here is c.HANGUL_T)


def _classify(character: str) -> _Class:
    code = ord(character)
    if code < 0x300:
        return _classify_latin(code)
    if code == 0x200D:
        return _Class.JOINER
    if code in _PREPEND:
        return _Class.PREPEND
    category = unicodedata.category(character)
    if code in _EXTEND or (category in _MARKS and code not in _NOT_EXTEND):
        return _Class.EXTEND
    if category in _CONTROLS:
        return _Class.CONTROL
    if 0x1F1E6 <= code <= 0x1F1FF:
        return _Class.REGIONAL
    if 0x1F000 <= code <= 0x1FAFF or 0x2190 <= code <= 0x2BFF or code in _PICTURES_BELOW:
        return _Class.PICTURE
    return _classify_hangul(code)


def _classify_latin(code: int) -> _Class:
    if code == 0x0D:
        return _Class.CR
    if code == 0x0A:
        return _Class.LF
    if code < 0x20 or 0x7F <= code < 0xA0 or code == 0xAD:
        return _Class.CONTROL
    return _Class.PICTURE if code in _PICTURES_BELOW else _Class.OTHER


def _classify_hangul(code: int) -> _Class:
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return _Class.HANGUL_L
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return _Class.HANGUL_V
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return _Class.HANGUL_T
    if 0xAC00 <= code <= 0xD7A3:
        return _Class.HANGUL_LVT if (code - 0xAC00) % 28 else _Class.HANGUL_LV
    return _Class.OTHER
