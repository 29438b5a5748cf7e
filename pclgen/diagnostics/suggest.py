"""Did you mean?  Comes in: a name nobody knows and the names that exist.  Goes out: the likeliest of those,
or None.

Order of preference: another spelling of the same words (case, `_`, `-`, plural), the same words in another
order, then the fewest typing slips (a letter more, less, other, or two swapped) if they are few for the
length of the name, then the only name that starts like this one.

Example: `suggest("bucketname", ["bucket", "bucketName"])` is `"bucketName"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_JOINTS = {ord(char): None for char in "_- ."}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_MIN_PREFIX = 3
_MAX_JOINTS = 4


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` most likely stands for, or None when none is close.

    Deterministic: equally good candidates are ranked by their text, so the order of `candidates` does not
    matter.  Linear in the number of candidates, as only those of similar length and letters are compared in
    full.
    """
    others = [candidate for candidate in candidates if candidate and candidate != name]
    return _same_words(name, others) or _few_slips(name, others) or _only_prefix(name, others)


def edit_distance(one: str, other: str, *, limit: int) -> int | None:
    """Typing slips between two texts (insert, delete, replace, swap neighbours), or None when more than
    `limit`.

    Only cells within `limit` of the diagonal are computed, so the cost is `limit` times the length.
    """
    if abs(len(one) - len(other)) > limit:
        return None
    one, other = _without_common_ends(one, other)
    too_many = limit + 1
    before: list[int] = []
    row = [column if column <= limit else too_many for column in range(len(other) + 1)]
    for index, char in enumerate(one, start=1):
        first, last = max(1, index - limit), min(len(other), index + limit)
        new = [too_many] * (len(other) + 1)
        new[0] = min(index, too_many)
        for column in range(first, last + 1):
            against = other[column - 1]
            best = min(row[column - 1] + (char != against), row[column] + 1, new[column - 1] + 1)
            if column > 1 and before and char == other[column - 2] and one[index - 2] == against:
                best = min(best, before[column - 2] + 1)
            new[column] = min(best, too_many)
        if min(new) > limit and min(row) > limit:
            return None
        before, row = row, new
    return row[-1] if row[-1] <= limit else None


def _without_common_ends(one: str, other: str) -> tuple[str, str]:
    """Both texts without what they begin and end with alike: it never holds a slip."""
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _same_words(name: str, others: Sequence[str]) -> str | None:
    """A candidate that differs in case, joints or plural only, or that has the same words in another
    order.
    """
    folded = name.casefold()
    joined = folded.translate(_JOINTS)
    stem = _singular(joined)
    letters = set(joined)
    words = _sorted_words(name)
    best: tuple[int, str] | None = None
    for candidate in others:
        # Joints and plural endings change little of the length and next to none of the letters.
        if abs(len(candidate) - len(name)) > _MAX_JOINTS or len(letters.difference(candidate.casefold())) > 2:
            continue
        other = candidate.casefold()
        plain = other.translate(_JOINTS)
        if other == folded:
            rank = 0
        elif plain == joined:
            rank = 1
        elif _singular(plain) == stem:
            rank = 2
        elif len(plain) == len(joined) and len(words) > 1 and _sorted_words(candidate) == words:
            rank = 3
        else:
            continue
        if best is None or (rank, candidate) < best:
            best = (rank, candidate)
    return None if best is None else best[1]


def _few_slips(name: str, others: Sequence[str]) -> str | None:
    folded = name.casefold()
    letters = set(folded)
    limit = _slips_allowed(len(folded))
    best: tuple[int, str] | None = None
    for candidate in others:
        if abs(len(candidate) - len(folded)) > limit:
            continue
        other = candidate.casefold()
        # Every letter that the candidate lacks costs a slip: a cheap lower bound.
        if len(letters.difference(other)) > limit:
            continue
        slips = edit_distance(folded, other, limit=limit)
        if slips is not None and (best is None or (slips, candidate) < best):
            best = (slips, candidate)
            limit = slips
    return None if best is None else best[1]


def _only_prefix(name: str, others: Sequence[str]) -> str | None:
    folded = name.casefold()
    if len(folded) < _MIN_PREFIX:
        return None
    matches = {candidate for candidate in others if candidate.casefold().startswith(folded)}
    return matches.pop() if len(matches) == 1 else None


def _slips_allowed(length: int) -> int:
    """How many slips a name of `length` may hold; short names resemble everything, so they get few."""
    if length < 3:
        return 0
    return 1 if length < 5 else min(2 + (length - 5) // 5, 4)


def _singular(folded: str) -> str:
    """A crude stem, good enough to join a plural with its singular."""
    if folded.endswith("ies") and len(folded) > 4:
        return folded[:-3] + "y"
    for ending in ("sses", "xes", "ches", "shes"):
        if folded.endswith(ending):
            return folded[:-2]
    return folded[:-1] if folded.endswith("s") and not folded.endswith("ss") and len(folded) > 2 else folded


def _sorted_words(name: str) -> list[str]:
    return sorted(word.casefold() for word in _WORD.findall(name))
