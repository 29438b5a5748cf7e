"""Patterns that mean the same in every language: compared with Python's own; other patterns are refused."""

from __future__ import annotations

import itertools
import re

import pytest

from pclgen.types.rules import PatternError, check_pattern, for_python, matches, portable

TAKEN = (
    *("^acme-", "^[a-z]+$", "^(a|bc|d)*$", "a{2,3}b", "^a?b+$", r"^\d{3}-\w+$", "^[^a-c]x$", "^(?:ab|c){1,2}d?$", "a|b|cd$"),
    *(r"^.+\.com$", "^$", r"^[\d-]+$", "x*", "^(a*b)*$", r"[\s\w]x", "", "a+?b", r"\$", "[$]", r"[\]a]"),
)
REFUSED = (
    *("(?=a)", r"\b", "a**", "(a", "a)", "[a", "[]", "a{3,1}", "(?i)a", r"\p{L}", "[[:alpha:]]", "a{1001}", r"\1", "*", "{"),
    *("(a{900}){900}", "(^a)*", "\\", "[z-a]", "[a&&b]", "(" * 60 + ")" * 60),
)


@pytest.mark.parametrize("pattern", TAKEN)
def test_a_pattern_matches_what_python_says(pattern: str) -> None:
    texts = ["".join(letters) for n in range(5) for letters in itertools.product("abcdx1-", repeat=n)]
    for text in (*texts, "a.com", "acme-x", "123-ab_", "a\ncom", "x\n", "ab\n", "$", "]", "é"):
        assert matches(pattern, text) == bool(re.search(for_python(pattern), text)), text


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_languages_read_in_different_ways_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        check_pattern(pattern)


def test_no_pattern_takes_long() -> None:
    assert not matches("^(a+)+$", "a" * 5000 + "b")


def test_shorthands_are_written_out() -> None:
    assert portable(r"^\d.[\w-]$") == r"^[0-9][^\n][0-9A-Za-z_-]$"
    assert for_python("^[a$]$") == r"^[a$]\Z"
