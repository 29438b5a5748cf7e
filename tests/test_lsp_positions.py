"""Positions in every encoding, with characters of every width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.lsp.workspace import Encoding, Lines, width

TEXT = "aé€😀b\nx\r\n\ry\u2028z\x0bw"


@pytest.mark.parametrize(
    ("encoding", "characters"),
    [
        (Encoding.UTF8, [0, 1, 3, 6, 10, 11]),
        (Encoding.UTF16, [0, 1, 2, 3, 5, 6]),
        (Encoding.UTF32, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_characters_are_counted_in_units_of_the_encoding(encoding: Encoding, characters: list[int]) -> None:
    lines = Lines(TEXT)
    assert [lines.position(offset, encoding) for offset in range(6)] == [(0, character) for character in characters]
    assert [lines.offset(0, character, encoding) for character in characters] == list(range(6))


def test_lines_end_as_the_protocol_says() -> None:
    lines = Lines(TEXT)
    starts = [lines.offset(line, 0, Encoding.UTF16) for line in range(5)]
    assert [TEXT[start : start + 1] for start in starts] == ["a", "x", "\r", "y", ""]
    assert lines.position(len(TEXT), Encoding.UTF32) == (3, 5)


@pytest.mark.parametrize(
    ("line", "character", "offset"),
    [(-1, 5, 0), (9, 0, len(TEXT)), (0, 99, 5), (0, 4, 3), (1, 9, 7), (0, -3, 0)],
)
def test_a_place_that_is_none_is_the_nearest_before_it(line: int, character: int, offset: int) -> None:
    assert Lines(TEXT).offset(line, character, Encoding.UTF16) == offset


@given(
    text=st.text(st.sampled_from("aé€😀\n\r\u2028"), max_size=30), encoding=st.sampled_from(list(Encoding)), data=st.data()
)
def test_every_offset_has_a_position_that_leads_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    lines = Lines(text)
    offset = data.draw(st.integers(0, len(text)))
    back = lines.offset(*lines.position(offset, encoding), encoding)
    inside_of_line_end = text[max(offset - 1, 0) : offset + 1] == "\r\n"
    assert back == (offset - 1 if inside_of_line_end else offset)
    assert (
        width(text, encoding)
        == len(text.encode(encoding.value + ("" if encoding is Encoding.UTF8 else "-le")))
        // ({Encoding.UTF8: 1, Encoding.UTF16: 2, Encoding.UTF32: 4}[encoding])
    )
