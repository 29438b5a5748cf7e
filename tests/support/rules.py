"""Rules about the sources of the project: one test per rule, which reports every violation."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def assert_followed(rule: str, broken: Iterable[str]) -> None:
    """Fail with the rule and one line for each of the places in `broken` (`file:line: problem`)."""
    places = list(broken)
    if places:
        pytest.fail("\n  ".join([f"{rule} ({len(places)} broken):", *places]), pytrace=False)
