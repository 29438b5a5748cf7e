"""Results of the built-in functions for known values: exactly those of cty and the reference host."""

from __future__ import annotations

import base64
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.stdlib.graphemes import grapheme_length
from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Blob, Value, evaluate
from pclgen.stdlib.registry import FUNCTIONS


def call(name: str, *values: Value) -> Value:
    return evaluate(FUNCTIONS[name], values)


D = Decimal
ASSET = Blob(constructor="fileAsset", source="./a")


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("element", (["a", "b", "c"], 1), "b"),
        ("element", (["a", "b", "c"], 5), "c"),
        ("element", (["a"], D("7")), "a"),
        ("element", ([UNKNOWN, "b"], 1), "b"),
        ("length", ([],), 0),
        ("length", ({"a": 1},), 1),
        ("length", ("e\u0301a",), 2),
        ("length", ([UNKNOWN],), 1),
        ("join", (", ", ["a", "b"]), "a, b"),
        ("join", (",", []), ""),
        ("join", (",", ["a", UNKNOWN]), UNKNOWN),
        ("join", ("-", ["unknown", "x"]), "unknown-x"),
        ("split", (",", "a,b,"), ["a", "b", ""]),
        ("split", (",", ""), [""]),
        ("split", ("", "añb"), ["a", "ñ", "b"]),
        ("split", ("", ""), []),
        ("range", (3,), [0, 1, 2]),
        ("range", (1, 4), [1, 2, 3]),
        ("range", (4, 1), []),
        ("range", (-2,), []),
        ("range", (2, None), [0, 1]),
        ("range", (2_000_000_000,), UNKNOWN),
        ("singleOrNone", ([],), None),
        ("singleOrNone", (["a"],), "a"),
        ("entries", ({"b": 1, "a": 2},), [{"key": "a", "value": 2}, {"key": "b", "value": 1}]),
        ("entries", (["x"],), [{"key": 0, "value": "x"}]),
        ("entries", ({},), []),
        ("lookup", ({"a": 1}, "a", 9), 1),
        ("lookup", ({"a": 1}, "b", 9), 9),
        ("lookup", ({"a": None}, "a", 9), None),
        ("lookup", ({"a": False}, "a", True), False),
        ("lookup", ({"a": 1}, "b", None), None),
        ("lookup", ({"a": 1}, "a", UNKNOWN), 1),
        ("lookup", ({"a": 1}, "b", UNKNOWN), UNKNOWN),
        ("max", (1, D("2.5")), D("2.5")),
        ("min", (3, 2, 4), 2),
        ("max", (D("0.1000000000000000000000001"), D("0.1")), D("0.1000000000000000000000001")),
        ("max", (1, UNKNOWN), UNKNOWN),
        ("toBase64", ("héllo",), "aMOpbGxv"),
        ("fromBase64", ("aMOpbGxv",), "héllo"),
        ("fromBase64", ("aMOp\nbGxv\r\n",), "héllo"),
        ("fromBase64", ("/w==",), UNKNOWN),
        ("sha1", ("hello",), "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"),
        ("toJSON", (None,), "null"),
        ("toJSON", ({"b": [1, D("1.50"), True], "a": "<é>\u2028"},), '{"a":"<é>\u2028","b":[1,1.5,true]}'),
        ("toJSON", ('"\\/\n\x01',), '"\\"\\\\/\\n\\u0001"'),
        ("toJSON", ([D("1e30"), D("-0.00001"), D("100")],), "[1e+30,-0.00001,100]"),
        ("toJSON", ([D("1e20"), D("1E+21"), D("0.000001"), D("1e-7"), D("-0.0"), D("0.10")],), "[100000000000000000000,1e+21,0.000001,1e-7,0,0.1]"),
        ("toJSON", ({"a": [UNKNOWN]},), UNKNOWN),
        ("fileAsset", ("./a",), ASSET),
        ("assetArchive", ({"a": ASSET},), Blob(constructor="assetArchive", source={"a": ASSET})),
        ("assetArchive", ({"a": ASSET, "b": UNKNOWN},), UNKNOWN),
    ],
)
def test_value(name: str, values: tuple[Value, ...], expected: Value) -> None:
    result = call(name, *values)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("name", "values", "index", "reason"),
    [
        ("element", ([], 0), 0, "no elements"),
        ("element", (["a"], D("0.5")), 1, "whole number"),
        ("element", (None, 0), 0, "cannot be null"),
        ("length", (None,), 0, "cannot be null"),
        ("length", (5,), 0, "found a number"),
        ("join", (",", ["a", None]), 1, "element 1 is null"),
        ("join", (",", "a"), 1, "expected a list, found a string"),
        ("join", (",", [True]), 1, "expected a string, found a bool"),
        ("range", (2**31,), 0, "32 bits"),
        ("max", (1, True), 1, "expected a number, found a bool"),
        ("singleOrNone", ([1, 2],), 0, "found 2"),
        ("lookup", ({"a": 1}, "b"), 1, 'no key "b"'),
        ("lookup", ([], "b", 1), 0, "found a list"),
        ("fromBase64", ("aGVsbG8",), 0, "not base64"),
        ("fromBase64", ("aGVs!bG8",), 0, "not base64"),
        ("fromBase64", ("é",), 0, "not base64"),
        ("toJSON", ([Blob(constructor="fileAsset", source="a")],), 0, "asset"),
        ("assetArchive", ({"a": ASSET, "b": True},), 0, "expected an asset or an archive at b"),
        ("split", (None, "a"), 0, "`separator` of `split` cannot be null"),
        ("sha1", ("a", "b"), 1, "sha1(text)"),
    ],
)
def test_refused(name: str, values: tuple[Value, ...], index: int, reason: str) -> None:
    with pytest.raises(BadArgumentError) as caught:
        call(name, *values)
    assert caught.value.index == index
    assert reason in caught.value.reason


@pytest.mark.parametrize("name", [name for name, row in FUNCTIONS.items() if row.implementation is None])
def test_what_depends_on_the_deployment_is_never_folded(name: str) -> None:
    values = ["x"] * len(FUNCTIONS[name].parameters)
    assert call(name, *values) is UNKNOWN


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        ("hello", 5),
        ("a\r\nb", 3),
        ("é\r\nb", 3),
        ("\n\r", 2),
        ("e\u0301", 1),
        ("\u0301", 1),
        ("👩\u200d🚀", 1),
        ("👩🏽\u200d🚀x", 2),
        ("a\u200d🚀", 2),
        ("🇨🇭🇫🇷🇨", 3),
        ("각", 1),
        ("\u1100\u1161\u11a8", 1),
        ("\u11a8\u1100", 2),
        ("각\u1161", 2),
        ("नि", 1),
        ("กำ", 1),
        ("\u0600\u0661", 1),
        ("\u200b", 1),
        ("❤️", 1),
        ("👍🏽👍", 2),
    ],
)
def test_length_counts_what_a_reader_sees(text: str, length: int) -> None:
    assert grapheme_length(text) == length


texts = st.text(st.characters(codec="utf-8"))
numbers = st.integers(-(2**40), 2**40) | st.decimals(allow_nan=False, allow_infinity=False, places=6)
plain = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(texts)
def test_base64_round_trip(text: str) -> None:
    encoded = call("toBase64", text)
    assert encoded == base64.standard_b64encode(text.encode()).decode()
    assert call("fromBase64", encoded) == text


@given(st.text(st.characters(codec="utf-8"), min_size=1), texts)
def test_split_is_undone_by_join(separator: str, text: str) -> None:
    pieces = call("split", separator, text)
    assert isinstance(pieces, list) and all(separator not in piece for piece in pieces)
    assert call("join", separator, pieces) == text


def doubles(value: Value) -> object:
    """`value` with all numbers as doubles."""
    match value:
        case Decimal():
            return float(value)
        case list():
            return [doubles(element) for element in value]
        case dict():
            return {key: doubles(member) for key, member in value.items()}
        case _:
            return value


@given(plain)
def test_json_reads_back_equal(value: Value) -> None:
    text = call("toJSON", value)
    assert isinstance(text, str)
    assert json.loads(text, parse_int=float) == doubles(value)
    assert "\n" not in text


@given(st.dictionaries(texts, st.integers(), max_size=6))
def test_json_keys_and_entries_are_sorted(value: dict[str, int]) -> None:
    text = call("toJSON", value)
    assert isinstance(text, str)
    assert list(json.loads(text)) == sorted(value)
    entries = call("entries", value)
    assert isinstance(entries, list)
    assert [entry["key"] for entry in entries] == sorted(value)


@given(st.lists(st.integers(), min_size=1), st.integers(0, 1000))
def test_element_counts_around(elements: list[int], index: int) -> None:
    assert call("element", elements, index) == elements[index % len(elements)]
    assert call("element", elements, index + len(elements)) == call("element", elements, index)


@given(st.lists(numbers, min_size=1))
def test_max_and_min_are_members_and_bounds(values: list[int | Decimal]) -> None:
    largest, smallest = call("max", *values), call("min", *values)
    assert largest in values and smallest in values
    assert all(smallest <= value <= largest for value in values)  # type: ignore[operator]  # members of `values`


@given(texts, texts)
def test_a_space_between_texts_keeps_their_lengths(a: str, b: str) -> None:
    # A line feed ends every cluster, and nothing joins it but a carriage return before it.
    between = 0 if a.endswith("\r") else 1
    assert grapheme_length(a + "\n" + b) == grapheme_length(a) + between + grapheme_length(b)
