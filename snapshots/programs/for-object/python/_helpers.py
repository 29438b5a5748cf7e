import unicodedata
from collections.abc import Iterable
from typing import Any


def grapheme_length(text: str) -> int:
    """The number of characters that a reader sees: marks and joined parts do not count."""
    length, before, flags = 0, "\n", 0
    for c in text:
        kind = unicodedata.category(c)
        flags = flags + 1 if "\U0001f1e6" <= c <= "\U0001f1ff" else 0
        alone = unicodedata.category(before) in ("Cc", "Zl", "Zp") or before == "\u200b"
        extends = kind[0] == "M" or c == "\u200d" or "\U0001f3fb" <= c <= "\U0001f3ff"
        joined = (before == "\u200d" and kind == "So") or before + c == "\r\n"
        length += not (joined or (extends and not alone) or (flags and flags % 2 == 0))
        before = c
    return length


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of pairs whose keys differ."""
    if len(result := dict(pairs)) < len(pairs):
        raise ValueError("two elements have the same key")
    return result
