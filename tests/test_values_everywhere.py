"""Expressions have the same values in Python, TypeScript and Go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from tests.support.everywhere import LANGUAGES, Outcome, Program, run_everywhere
from tests.support.rules import for_all

VALUES: Final[Mapping[str, object]] = {
    "element([1, 2, 3], 4)": 2,
    "element([1, 2, 3], 0)": 1,
    "length([1, 2])": 2,
    "length({ a = 1 })": 1,
    'length("e\\u0301👩\\u200d🚀🇨🇭🇫🇷")': 4,
    'lookup({ a = false }, "a", true)': False,
    'lookup({ a = 1 }, "b", 2)': 2,
    'join("-", ["a", "b"])': "a-b",
    'split("/", "a/b")': ["a", "b"],
    "range(3)": [0, 1, 2],
    "range(1, 3)": [1, 2],
    "[for x in range(2) : x]": [0, 1],
    "entries({ b = 2, a = 1 })": [{"key": "a", "value": 1}, {"key": "b", "value": 2}],
    'entries(["x"])': [{"key": 0, "value": "x"}],
    "min(3, 1, 2)": 1,
    "max([1, 4]...)": 4,
    'toBase64("é")': "w6k=",
    'fromBase64("w6k=")': "é",
    'sha1("a")': "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
    "stack()": "dev",
    "singleOrNone([1])": 1,
    "try([1][0], 2)": 1,
    'can("x")': True,
    "1 + 2 * 3 - 8 / 4": 5,
    '{ for w in ["a", "bb", "c"] : (length(w) > 1 ? "long" : "short") => w... }': {"short": ["a", "c"], "long": ["bb"]},
    '{ for k, v in { b = 1, a = 2 } : "${k}" => v if v > 1 }': {"a": 2},
    "[for v in { b = 1, a = 2 } : v]": [2, 1],
    "!(1 < 2) || 2 >= 2 && 1 != 2": True,
    "[{ a = 1 }, { a = 2 }][*].a": [1, 2],
    'split("", "ab")': ["a", "b"],
    '[for e in entries({ b = 2, a = 1 }) : "${e.key}${e.value}"]': ["a1", "b2"],
    "max(5)": 5,
    "max(1, 2.5)": 2.5,
    "singleOrNone([])": None,
    "project()": "test",
    "organization()": "acme",
    '"${1.5}|${3.0}|${true}|${"a"}|${1234567.0}"': "1.5|3|true|a|1234567",
    "7 / 2": 3.5,
    "7 % 3 * 2": 2,
    "-(1 + 2)": -3,
    "5.5 % 2": 1.5,
    "[for i, v in [5, 6, 7] : i * v if v != 6]": [0, 14],
    "{ for i, v in [5, 6] : v => i }": {"5": 0, "6": 1},
    '{ a = 1, b = { c = ["x", 2, null] } }': {"a": 1, "b": {"c": ["x", 2, None]}},
    '[[1, 2], ["a"], []]': [[1, 2], ["a"], []],
    '"quote \\" backslash \\\\ percent % tick ` tab \\t"': 'quote " backslash \\ percent % tick ` tab \t',
}


@pytest.fixture(scope="module")
def outcomes() -> Mapping[tuple[str, tuple[str, bool]], Outcome]:
    """Every expression as is, and with its value behind a secret (which makes the result an output)."""
    programs = {
        (expression, secret): Program(f"subject = {expression}\noutput o {{ value = [{value}] }}\n")
        for expression in VALUES
        for secret, value in ((False, "subject"), (True, "secret(subject)"))
    }
    return run_everywhere(programs)


@for_all("language", LANGUAGES)
@pytest.mark.parametrize("expression", VALUES)
def test_values(outcomes: Mapping[tuple[str, tuple[str, bool]], Outcome], expression: str, language: str) -> None:
    for secret in (False, True):
        outcome = outcomes[language, (expression, secret)]
        assert (outcome.error, outcome.exports) == ("", {"o": [VALUES[expression]]})
        assert ("o" in outcome.secrets) == secret
