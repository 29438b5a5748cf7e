"""Version ranges of `requiredVersionRange` (language.md, The settings block).

Comparisons with `>=`, `<=`, `>`, `<`, `=`, `!=`, all of which must hold, and `||` between alternatives.
"""

from __future__ import annotations

import re

_CONDITION = re.compile(
    r"(>=|<=|!=|==|>|<|=|!)?\s*v?(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\s*"
)


def satisfies(version: str, wanted: str) -> bool | None:
    """Whether `version` is in the range `wanted`; None when one of them cannot be read."""
    own = _parts(version)
    if own is None:
        return None
    results: list[bool] = []
    for alternative in wanted.split("||"):
        holds = _all_hold(own, alternative.strip())
        if holds is None:
            return None
        results.append(holds)
    return any(results)


_Parts = tuple[int, int, int, tuple[bool, str]]


def _parts(version: str) -> _Parts | None:
    found = _CONDITION.fullmatch(version.strip())
    return None if found is None else _numbers(found)


def _numbers(found: re.Match[str]) -> _Parts:
    """A version that orders as versions do; a pre-release comes before its release."""
    major, minor, patch = (int(part) if part and part != "x" else 0 for part in found.group(2, 3, 4))
    prerelease = (found[5] or "").lstrip("-")
    return major, minor, patch, (not prerelease, prerelease)


def _all_hold(own: _Parts, conditions: str) -> bool | None:
    at = 0
    holds = True
    while at < len(conditions):
        found = _CONDITION.match(conditions, at)
        if found is None:
            return None
        holds = holds and _holds(own, found)
        at = found.end()
    return holds


def _holds(own: _Parts, found: re.Match[str]) -> bool:
    wanted = _numbers(found)
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
            given = [part for part in found.group(2, 3, 4) if part and part != "x"]
            return own == wanted if len(given) == 3 else own[: len(given)] == wanted[: len(given)]
