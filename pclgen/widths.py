"""The number of terminal columns of a text.

Wide characters and emoji sequences take two columns, marks and control characters none. prettier must leave generated
TypeScript unchanged, so this counts as prettier does. The library wcwidth counts otherwise: it gives no column to spacing
marks (441, the vowel signs of Devanagari and similar scripts), to conjoining jamo and to format characters, where prettier
gives one, so that a line of Hindi would break elsewhere; and its import takes 20 ms.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2"
    "\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297"
    "\u3299\U0001f004\U0001f0cf\U0001f170-\U0001f19a\U0001f201-\U0001f251\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
_ONE_EMOJI = f"[{_EMOJI}](?:[\U0001f3fb-\U0001f3ff]|\ufe0f)?"
_EMOJI_SEQUENCE: Final = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|[#*0-9]\ufe0f?\u20e3|\U0001f3f4[\U000e0060-\U000e007f]+"
    f"|{_ONE_EMOJI}(?:\u200d{_ONE_EMOJI})*"
)
_ALSO_WIDE: Final = re.compile(
    "[\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d356\U0001d360-\U0001d376"  # wide since Unicode 16
    "\u261d\u26f9\u270c\u270d\U0001f3cb\U0001f3cc\U0001f574\U0001f575\U0001f590]"  # emoji that may have a colour of skin
)


_CONTROLS: Final = bytes((*range(32), 127))


@lru_cache(maxsize=4096)
def text_width(text: str) -> int:
    """Return the number of columns of `text`.  A layout measures most texts several times."""
    if text.isascii():
        return len(text) if text.isprintable() else len(text.encode().translate(None, _CONTROLS))
    width = 0
    rest: list[str] = []
    start = 0
    for match in _EMOJI_SEQUENCE.finditer(text):
        if match.end() - match.start() > 1:
            rest.append(text[start : match.start()])
            start = match.end()
            width += 2
    rest.append(text[start:])
    return width + sum(map(character_width, "".join(rest)))


@lru_cache(maxsize=4096)
def character_width(c: str) -> int:
    """Return the number of columns of a single character."""
    code = ord(c)
    if code <= 31 or 127 <= code <= 159:
        return 0
    category = unicodedata.category(c)
    if category in ("Mn", "Me"):
        return 0
    if category == "Cn":  # not assigned: older versions of Python call some of these wide
        return 1
    return 2 if unicodedata.east_asian_width(c) in ("F", "W") or _ALSO_WIDE.match(c) else 1
