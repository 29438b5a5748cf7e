"""Expressions and their values, the same in every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
}
