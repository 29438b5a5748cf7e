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


def satisfies(version: str, wanted: str) -> bool | None:
    """Whether `version` is in the range `wanted`; None when one of them cannot be read."""
    own = parse_version(version.strip())
    if own is None:
        return None
    results: list[bool] = []
    for alternative in wanted.split("||"):
        holds = _all_hold(own, alternative.strip())
        if holds is None:
            return None
        results.append(holds)
    return any(results)


def _all_hold(own: Version, conditions: str) -> bool | None:
    at = 0
    holds = True
    while at < len(conditions):
        found = _CONDITION.match(conditions, at)
        if found is None:
            return None
        holds = holds and _holds(own, found)
        at = found.end()
    return holds


def _holds(own: Version, found: re.Match[str]) -> bool:
    given = [int(part) for part in takewhile(lambda part: part and part != "x", found.group(2, 3, 4))]
    major, minor, patch = (*given, 0, 0, 0)[:3]
    prerelease = tuple(found[5][1:].split(".")) if found[5] else ()
    wanted = Version(numbers=(major, minor, patch), prerelease=prerelease, text=found[0])
    match found[1]:
        case ">=":
            return own >= wanted
        case "<=":
            return own <= wanted
        case ">":
            return own > wanted
        case "<":
            return own < wanted
        case "!=" | "!":
            return own != wanted
        case _:
            return own == wanted if len(given) == 3 else list(own.numbers[: len(given)]) == given
