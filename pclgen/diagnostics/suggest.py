"""Did you mean? The existing name that is most likely meant by an unknown name, or None.

Order of preference: another spelling of the same words (case, `_`, `-`, plural), the same words in another
order, then the fewest typing slips (a letter more, less, other, or two swapped) if they are few for the
length of the name, then the only name that starts like this one.

Example: `suggest("bucketname", ["bucket", "bucketName"])` is `"bucketName"`.

A program may have as many mistakes as names: derived data of each name, and of all names together, is cached for the
next mistake, and only the names with the most letters in common are compared in full.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nsmallest
from operator import itemgetter
from typing import Final

from msgspec import Struct

_JOINTS = {ord(char): None for char in "_- ."}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_MIN_PREFIX = 3
_MOST_COMPARED: Final = 40
_LONGEST: Final = 200  # a longer name is text, and nobody mistyped it


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most likely meant by `name`, or None if none is close.

    Deterministic: equally good candidates are ranked by their text, so the order of `candidates` does not matter.
    """
    if not name or len(name) > _LONGEST:
        return None
    forms = _prepared(tuple(candidates))
    return _same_words(name, forms) or _few_slips(name, forms) or _only_prefix(name, forms)


def suggestion(name: str, candidates: Iterable[str], otherwise: str | None = None) -> str | None:
    """The help for an unknown name: the candidate that is likely meant, else the text `otherwise`."""
    similar = suggest(name, candidates)
    return f"did you mean `{similar}`?" if similar is not None else otherwise


def alternatives(name: str, names: Sequence[str]) -> str | None:
    """Return the hint for a `name` that is none of a few `names`: the likely name, or all of them."""
    return suggestion(name, names, f"there are {', '.join(names)}")


class _Form(Struct, frozen=True):
    """The comparison keys of a name: `spellings` from the most to the least specific, and its letters as bits."""

    folded: str
    spellings: tuple[object, ...]
    letters: int


@lru_cache(maxsize=1 << 16)
def _form(name: str) -> _Form:
    folded = name.casefold()
    joined = folded.translate(_JOINTS)
    words = tuple(sorted(word.casefold() for word in _WORD.findall(name)))
    reordered = (len(joined), words) if len(words) > 1 else ()
    letters = 0
    for char in folded:
        letters |= 1 << ord(char) % _BITS
    return _Form(folded, (folded, joined, _singular(joined), reordered), letters)


_BITS: Final = 61


class _Candidates(Struct, frozen=True):
    """Sorted names: `folded` ignores case; `spellings` of each, by rank; `letters` of each."""

    names: Sequence[str]
    spellings: Sequence[dict[object, list[str]]]
    letters: Sequence[int]
    folded: Sequence[tuple[str, str]]


@lru_cache(maxsize=8)
def _prepared(candidates: tuple[str, ...]) -> _Candidates:
    names = sorted({name for name in candidates if name and len(name) <= 2 * _LONGEST})
    forms = [_form(name) for name in names]
    spellings: tuple[dict[object, list[str]], ...] = ({}, {}, {}, {})
    for name, form in zip(names, forms, strict=True):
        for table, spelling in zip(spellings, form.spellings, strict=True):
            if spelling:
                table.setdefault(spelling, []).append(name)
    folded = sorted((form.folded, name) for name, form in zip(names, forms, strict=True))
    return _Candidates(names, spellings, [form.letters for form in forms], folded)


def edit_distance(text: str, other: str, *, limit: int) -> int | None:
    """Typing slips between two texts (insert, delete, replace, swap neighbors), or None if more than `limit`.

    Only cells within `limit` of the diagonal are computed, so the cost is `limit` times the length.
    """
    if abs(len(text) - len(other)) > limit:
        return None
    text, other = _without_common_ends(text, other)
    too_many = limit + 1
    before: list[int] = []
    row = [column if column <= limit else too_many for column in range(len(other) + 1)]
    for index, char in enumerate(text, start=1):
        first, last = max(1, index - limit), min(len(other), index + limit)
        new = [too_many] * (len(other) + 1)
        new[0] = min(index, too_many)
        for column in range(first, last + 1):
            against = other[column - 1]
            best = min(row[column - 1] + (char != against), row[column] + 1, new[column - 1] + 1)
            if column > 1 and before and char == other[column - 2] and text[index - 2] == against:
                best = min(best, before[column - 2] + 1)
            new[column] = min(best, too_many)
        if min(new) > limit and min(row) > limit:
            return None
        before, row = row, new
    return row[-1] if row[-1] <= limit else None


def _without_common_ends(text: str, other: str) -> tuple[str, str]:
    """Both texts without their common prefix and suffix, which never contain a slip."""
    shorter = min(len(text), len(other))
    start = 0
    while start < shorter and text[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and text[-1 - end] == other[-1 - end]:
        end += 1
    return text[start : len(text) - end], other[start : len(other) - end]


def _same_words(name: str, candidates: _Candidates) -> str | None:
    """A candidate that differs only in case, joints or plural, or that has the same words in another order."""
    for table, spelling in zip(candidates.spellings, _form(name).spellings, strict=True):
        candidate = next((other for other in table.get(spelling, ()) if other != name), None) if spelling else None
        if candidate is not None:
            return candidate
    return None


def _few_slips(name: str, candidates: _Candidates) -> str | None:
    form = _form(name)
    length = len(form.folded)
    limit = _slips_allowed(length)
    best: tuple[int, str] | None = None
    for _, other in _nearest(name, form.letters, limit, candidates):
        slips = edit_distance(form.folded, _form(other).folded, limit=limit)
        if slips is not None and (best is None or (slips, other) < best):
            best = (slips, other)
            limit = slips
    return None if best is None else best[1]


def _nearest(name: str, letters: int, limit: int, candidates: _Candidates) -> Sequence[tuple[int, str]]:
    """The names that may be at most `limit` slips away: each letter missing in either name costs a slip."""
    least, most = len(name) - limit, len(name) + limit
    near = [
        (missing, other)
        for other, theirs in zip(candidates.names, candidates.letters, strict=True)
        if least <= len(other) <= most and (missing := (letters & ~theirs).bit_count()) <= limit and other != name
    ]
    return near if len(near) <= _MOST_COMPARED else nsmallest(_MOST_COMPARED, near, key=itemgetter(0))


def _only_prefix(name: str, forms: _Candidates) -> str | None:
    folded = _form(name).folded
    if len(folded) < _MIN_PREFIX:
        return None
    at = bisect_left(forms.folded, (folded, ""))
    candidates = [other for form, other in forms.folded[at : at + 3] if form.startswith(folded) and other != name]
    return candidates[0] if len(candidates) == 1 else None


def _slips_allowed(length: int) -> int:
    """Return the number of slips allowed in a name of `length`; few for short names, which resemble everything."""
    if length < 3:
        return 0
    return 1 if length < 5 else min(2 + (length - 5) // 5, 4)


def _singular(folded: str) -> str:
    """A crude stem that equates a plural with its singular."""
    if folded.endswith("ies") and len(folded) > 4:
        return folded[:-3] + "y"
    for ending in ("sses", "xes", "ches", "shes"):
        if folded.endswith(ending):
            return folded[:-2]
    return folded[:-1] if folded.endswith("s") and not folded.endswith("ss") and len(folded) > 2 else folded
