"""Ranges of semantic versions.

    ^1.2.3    1.2.3 and later, up to the next number that is not 0 (2.0.0); ^0.2.3: up to 0.3.0
    ~1.2.3    1.2.3 and later, up to 1.3.0; ~1: up to 2.0.0
    1.2.3     this version; =1.2.3 is the same
    1.2.*     any 1.2; * any version
    >=1.2, <2 both; separated by a comma or a space
    ^1 || ^3  any version in either range

The meaning is that of npm's ranges: omitted numbers match any, and a pre-release fits only if the range, in the same
alternative, has a pre-release with the same three numbers (`^2.0.0-beta.1` has 2.0.0-beta.2, but not 2.1.0-beta.1).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pclgen.semver import Version, parse_version

LONGEST = 256
"""Maximum length of a version or a range, in characters."""

_Relation: TypeAlias = Literal["<", "<=", ">", ">=", "="]
_RELATIONS: Final[Mapping[_Relation, Callable[[Version, Version], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
}  # fmt: skip  # short entries

_PART = re.compile(
    r"(?P<sign>\^|~|>=|<=|>|<|=)?[ ]*v?"
    r"(?P<numbers>(?:0|[1-9]\d*|[*xX])(?:\.(?:0|[1-9]\d*|[*xX])){0,2})(?P<rest>[-+][0-9A-Za-z.+-]*)?",
    re.ASCII,
)
_GAP = re.compile(r"[ \t]*,[ \t]*|[ \t]+")
_MOST_DIGITS = 18


class RangeError(ValueError):
    """A text that is no range; `hint` suggests a valid form."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Comparator(Struct, frozen=True):
    """One side of a range."""

    relation: _Relation
    version: Version

    def holds(self, version: Version) -> bool:
        """Return whether `version` lies on this side."""
        return _RELATIONS[self.relation](version, self.version)


class Range(Struct, frozen=True):
    """Versions that fit.  With `is_open` pre-releases fit as any other (where a digest identifies the version)."""

    text: str
    alternatives: tuple[tuple[Comparator, ...], ...]
    """A version fits that is on all sides of one of them."""
    is_open: bool = False

    def has(self, version: Version) -> bool:
        """Return whether `version` fits."""
        return any(self._fits(sides, version) for sides in self.alternatives)

    def _fits(self, sides: tuple[Comparator, ...], version: Version) -> bool:
        if not all(side.holds(version) for side in sides):
            return False
        return (
            self.is_open
            or not version.prerelease
            or any(side.version.prerelease and side.version.numbers == version.numbers for side in sides)
        )


ANY_WITH_PRERELEASES = Range("*", ((),), is_open=True)

_EXAMPLES = "ranges look like ^1.2.3, ~1.2.3, 1.2.3, 1.2.*, >=1.2, <2 or ^1 || ^2"


def read_version(text: str) -> Version | None:
    """Return the version in `text`; None if there is none, or its text or numbers are too long."""
    return parse_version(text) if len(text) <= LONGEST and _is_small(text) else None


def _is_small(text: str) -> bool:
    return all(len(digits) <= _MOST_DIGITS for digits in re.findall(r"\d+", text))


def parse_range(text: str) -> Range:
    """The range that `text` writes.  Raises `RangeError`."""
    words = text.strip()
    if not words:
        raise RangeError("the range is empty", _EXAMPLES)
    if len(words) > LONGEST or not _is_small(words):
        raise RangeError("the range is too long", _EXAMPLES)
    return Range(words, tuple(_alternative(part.strip(" \t"), words) for part in words.split("||")))


def _alternative(part: str, words: str) -> tuple[Comparator, ...]:
    """The sides that one alternative of the range `words` writes."""
    if not part:
        raise RangeError(f"`{words}`: one side of `||` is empty", _EXAMPLES)
    comparators: list[Comparator] = []
    at = 0
    while at < len(part):
        match = _PART.match(part, at)
        if match is None:
            raise RangeError(f"`{words}` is not a range of versions", _EXAMPLES)
        comparators += _comparators(match, words)
        at = match.end()
        gap = _GAP.match(part, at)
        if at < len(part) and gap is None:
            raise RangeError(f"`{words}` is not a range of versions", _EXAMPLES)
        at = gap.end() if gap is not None else at
        if gap is not None and at == len(part):
            raise RangeError(f"`{words}` is not a range of versions", _EXAMPLES)
    return tuple(comparators)


def _comparators(match: re.Match[str], words: str) -> list[Comparator]:
    sign, rest = match["sign"] or "", match["rest"] or ""
    written = match["numbers"].split(".")
    parts = [int(number) for number in written if number not in ("*", "x", "X")]
    wild = len(parts) < len(written)
    if any(number in ("*", "x", "X") for number in written[: len(parts)]):
        raise RangeError(f"`{words}`: a number stands behind `*`", _EXAMPLES)
    is_complete = len(parts) == 3
    if rest and not is_complete:
        raise RangeError(f"`{words}`: a pre-release belongs to a version with three numbers", _EXAMPLES)
    if not sign and not is_complete and not wild:
        text = match["numbers"]
        raise RangeError(f"`{text}` is not a version of three numbers", f"write ^{text}, ~{text} or {text}.*")
    numbers = (*parts, *(0,) * (3 - len(parts)))
    version = read_version(".".join(map(str, numbers)) + rest)
    if version is None:
        raise RangeError(f"`{words}` is not a range of versions", _EXAMPLES)
    return _sides(sign, version, parts)


def _sides(sign: str, low: Version, numbers: list[int]) -> list[Comparator]:
    """Return the comparators of one part: `low` has 0 for omitted numbers."""
    is_complete = len(numbers) == 3
    if not numbers:
        # `*` has all, and so has every side of it but `<*` and `>*`, which have none.
        return [Comparator("<", _plain((0, 0, 0)))] if sign in ("<", ">") else []
    above = _plain(_next(numbers, len(numbers) - 1))  # behind all versions that begin with these numbers
    match sign:
        case "^":
            first = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
            return [Comparator(">=", low), Comparator("<", _plain(_next(numbers, first)))]
        case "~":
            return [Comparator(">=", low), Comparator("<", _plain(_next(numbers, min(1, len(numbers) - 1))))]
        case ">=":
            return [Comparator(">=", low)]
        case "<":
            return [Comparator("<", low)]
        case ">":
            return [Comparator(">", low)] if is_complete else [Comparator(">=", above)]
        case "<=":
            return [Comparator("<=", low)] if is_complete else [Comparator("<", above)]
        case _:
            return [Comparator("=", low)] if is_complete else [Comparator(">=", low), Comparator("<", above)]


def _next(numbers: list[int], at: int) -> tuple[int, int, int]:
    """The first version behind all that have the numbers up to `at`."""
    major, minor, patch = (*numbers[:at], numbers[at] + 1, 0, 0, 0)[:3]
    return major, minor, patch


def _plain(numbers: tuple[int, int, int]) -> Version:
    return Version(numbers=numbers, prerelease=(), text=".".join(map(str, numbers)))
