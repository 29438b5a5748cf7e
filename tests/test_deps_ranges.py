"""Version ranges: which versions they contain.  The rows follow the semantics of npm's ranges, written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.schema.ranges import RangeError, parse_range, read_version

ROWS = [
    # range, versions in it, versions not in it
    ("^1.2.3", "1.2.3 1.2.4 1.9.0", "1.2.2 2.0.0 2.0.0-rc.1 1.3.0-rc.1 0.9.9"),
    ("^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2 1.0.0"),
    ("^0.0.3", "0.0.3", "0.0.4 0.0.2 0.1.0"),
    ("^1.2", "1.2.0 1.9.9", "1.1.9 2.0.0"),
    ("^1", "1.0.0 1.9.9", "0.9.9 2.0.0"),
    ("^0", "0.0.1 0.9.9", "1.0.0"),
    ("^0.0", "0.0.0 0.0.9", "0.1.0"),
    ("~1.2.3", "1.2.3 1.2.99", "1.3.0 1.2.2"),
    ("~1.2", "1.2.0 1.2.99", "1.3.0 1.1.9"),
    ("~1", "1.0.0 1.99.0", "2.0.0"),
    ("~0", "0.0.0 0.99.0", "1.0.0"),
    ("1.2.3", "1.2.3 1.2.3+build.5", "1.2.4 1.2.3-rc.1"),
    ("=1.2.3", "1.2.3", "1.2.4"),
    ("v1.2.3", "1.2.3", "1.2.4"),
    ("1.2.*", "1.2.0 1.2.9", "1.3.0 1.2.9-rc.1"),
    ("1.*", "1.0.0 1.9.9", "2.0.0"),
    ("1.x", "1.0.0 1.9.9", "2.0.0"),
    ("*", "0.0.0 9.9.9", "1.0.0-rc.1"),
    (">=1.2, <2", "1.2.0 1.9.9", "2.0.0 1.1.9"),
    (">=1.2 <2", "1.2.0 1.9.9", "2.0.0 1.1.9"),
    (">1.2", "1.3.0 2.0.0", "1.2.0 1.2.9"),
    (">1.2.3", "1.2.4", "1.2.3"),
    ("<=1.2", "1.2.9 0.1.0", "1.3.0"),
    ("<=1.2.3", "1.2.3", "1.2.4"),
    ("<1.2", "1.1.9", "1.2.0"),
    (">=1.2.3, <1.2.3", "", "1.2.3"),
    ("^2.0.0-beta.1", "2.0.0-beta.1 2.0.0-beta.11 2.0.0 2.1.0", "2.0.0-alpha 2.1.0-beta.1 3.0.0-beta.1"),
    (">=2.0.0-beta.1", "2.0.0-beta.2 3.0.0", "3.0.0-rc.1"),
    ("2.0.0-beta.1", "2.0.0-beta.1", "2.0.0-beta.2 2.0.0"),
    (">*", "", "0.0.0 1.0.0"),
    (">=*", "0.0.0 1.0.0", "1.0.0-rc.1"),
    ("^1.4 || ^3", "1.4.0 1.9.9 3.0.0 3.9.0", "1.3.9 2.0.0 2.9.9 4.0.0"),
    ("1.2.3||2.*", "1.2.3 2.0.0 2.9.9", "1.2.4 3.0.0"),
    (">=1.2, <1.4 || >=1.6 <2 || 3.0.1", "1.2.0 1.3.9 1.6.0 3.0.1", "1.4.0 1.5.9 2.0.0 3.0.0"),
    # A pre-release matches the alternative that names one; a pre-release in another alternative does not count.
    ("^1.0.0 || ^2.0.0-beta.1", "1.5.0 2.0.0-beta.2 2.1.0", "1.5.0-beta.1 2.0.0-alpha 2.1.0-beta.1"),
    ("<3 || 2.0.0-rc.1", "2.0.0 2.0.0-rc.1", "2.0.0-rc.2"),
]


@pytest.mark.parametrize(("text", "has", "lacks"), ROWS)
def test_what_is_in_a_range(text: str, has: str, lacks: str) -> None:
    version_range = parse_range(text)
    for word in has.split():
        version = read_version(word)
        assert version is not None
        assert version_range.has(version), f"{text} has {word}"
    for word in lacks.split():
        version = read_version(word)
        assert version is not None
        assert not version_range.has(version), f"{text} does not have {word}"


@pytest.mark.parametrize(
    "text",
    ["", " ", "1", "1.2", "latest", "^", "^1.2.3.4", "1.2.3 ||2", "||", "^1 ||", "|| ^1", "^1 || || ^2", "^1 | ^2", "^1 ||| ^2", "^1, || ^2", "^1 || ,^2", "^1 || x1",
     "^1.2.3,", ",1.2.3", "1.*.3", "^1.2-rc.1", "1.2.3-",
     "01.2.3", ">=1.2<2", "^1.2.3 foo", "^" + "9" * 400, "~> 1.2", "1.2.3" * 80, "^1.2.3\n", "١.٢.٣"],
)  # fmt: skip  # words
def test_what_is_no_range(text: str) -> None:
    if text == "^1.2.3\n":
        assert parse_range(text).text == "^1.2.3"
        return
    with pytest.raises(RangeError) as caught:
        parse_range(text)
    assert caught.value.hint


@given(st.text(alphabet="0123456789.^~<>=*xX-+, |abv", max_size=30))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        version_range = parse_range(text)
    except RangeError:
        return
    assert parse_range(version_range.text) == version_range
    version = read_version("1.2.3")
    assert version is not None
    assert version_range.has(version) in (True, False)
