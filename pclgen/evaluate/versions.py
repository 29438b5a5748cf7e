"""Version ranges of `requiredVersionRange` (language.md, The settings block).

Comparisons with `>=`, `<=`, `>`, `<`, `=`, `!=`, all of which must hold, and `||` between alternatives.
"""

from __future__ import annotations

import re
from itertools import takewhile

from pclgen.semver import Version, parse_version

_CONDITION = re.compile(
    r"(>=|<=|!=|==|>|<|=|!)?\s*v?(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\s*"
)


def satisfies(version: str, range_text: str) -> bool | None:
    """Return whether `version` is in the range `range_text`; None if either is malformed."""
    own = parse_version(version.strip())
    if own is None:
        return None
    results: list[bool] = []
    for alternative in range_text.split("||"):
        holds = _all_hold(own, alternative.strip())
        if holds is None:
            return None
        results.append(holds)
    return any(results)


def _all_hold(own: Version, conditions: str) -> bool | None:
    at = 0
    holds = True
    while at < len(conditions):
        match = _CONDITION.match(conditions, at)
        if match is None:
            return None
        holds = holds and _holds(own, match)
        at = match.end()
    return holds


def _holds(own: Version, match_: re.Match[str]) -> bool:
    numbers = [int(part) for part in takewhile(lambda part: part and part != "x", match_.group(2, 3, 4))]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    prerelease = tuple(match_[5][1:].split(".")) if match_[5] else ()
    bound = Version(numbers=(major, minor, patch), prerelease=prerelease, text=match_[0])
    match match_[1]:
        case ">=":
            return own >= bound
        case "<=":
            return own <= bound
        case ">":
            return own > bound
        case "<":
            return own < bound
        case "!=" | "!":
            return own != bound
        case _:
            return own == bound if len(numbers) == 3 else list(own.numbers[: len(numbers)]) == numbers
