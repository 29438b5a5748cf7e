"""Semantic versions (semver.org 2.0.0): reading and ordering.

The versions of schema files, packages, programs and Pulumi become `Version`s, which order by precedence.

    parse_version("3.0.0-alpha.1") < parse_version("3.0.0")
"""

from __future__ import annotations

import re

from pclgen.records import Keyed

VERSION_PATTERN = (
    r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)"
    r"(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
"""A strict semantic version, without a leading `v`."""

_VERSION = re.compile(VERSION_PATTERN, re.ASCII)


class Version(Keyed, frozen=True, eq=False):
    """A semantic version; equality and order are by precedence, so build data does not count."""

    numbers: tuple[int, int, int]
    prerelease: tuple[str, ...]
    text: str

    @property
    def major(self) -> int:
        """The first number."""
        return self.numbers[0]

    def _key(self) -> tuple[object, ...]:
        # Numeric identifiers sort below texts, fewer identifiers below more, any pre-release below the release.
        parts = tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in self.prerelease)
        return (self.numbers, not self.prerelease, parts)

    # Each of the four: `functools.total_ordering` takes the comparisons of `Struct`, which refuse, for ours.
    def __lt__(self, other: Version) -> bool:
        return self._key() < other._key()

    def __le__(self, other: Version) -> bool:
        return self._key() <= other._key()

    def __gt__(self, other: Version) -> bool:
        return self._key() > other._key()

    def __ge__(self, other: Version) -> bool:
        return self._key() >= other._key()


def parse_version(text: str) -> Version | None:
    """Return the version in `text` (a leading `v` is ignored), or None if it is no version."""
    bare = text.removeprefix("v")
    if _VERSION.fullmatch(bare) is None:
        return None
    release, _, _ = bare.partition("+")
    core, _, prerelease = release.partition("-")
    major, minor, patch = core.split(".")
    parts = tuple(prerelease.split(".")) if prerelease else ()
    return Version(numbers=(int(major), int(minor), int(patch)), prerelease=parts, text=bare)
