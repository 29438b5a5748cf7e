"""How source text looks in a terminal: display width of characters, and a harmless spelling for those with
none.

Comes in: text from users' files (it may hold anything).  Goes out: text without control characters, with the
number of terminal columns that every character takes, so that carets stand under what they mean.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

TAB_WIDTH = 4
ELLIPSIS = "..."


def visible(text: str) -> str:
    """`text` on one line, with control, format and surrogate characters spelled out (`\\x1b`,
    `\\u{202e}`).
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(char) for char in text)


def display_width(text: str) -> int:
    """Terminal columns that `visible(text)` takes."""
    shown = visible(text)
    return len(shown) if shown.isascii() else sum(_columns(char) for char in shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One source line as it is shown: `text`, and for every source column (0-based) its terminal column."""

    text: str
    _columns: tuple[int, ...]

    def column(self, source_column: int) -> int:
        """Terminal column (0-based) where the character at `source_column` starts; past the end: the row's
        end.
        """
        return self._columns[max(0, min(source_column, len(self._columns) - 1))]


def layout_row(line: str, *, width: int, focus: tuple[int, int]) -> Row:
    """Lay out `line` in at most `width` columns (roughly), keeping the source columns `focus` (half-open) in
    sight.
    """
    cells, columns = _cells(line)
    if columns[-1] <= width:
        return Row(text="".join(cells), _columns=columns)
    first, last = _window(columns, width=width - 2 * len(ELLIPSIS), focus=focus)
    before = ELLIPSIS if first > 0 else ""
    after = ELLIPSIS if last < len(cells) else ""
    low, high = columns[first], columns[last]
    shift = len(before) - low
    return Row(
        text=before + "".join(cells[first:last]) + after,
        _columns=tuple(min(max(column, low), high) + shift for column in columns),
    )


def _cells(line: str) -> tuple[list[str], tuple[int, ...]]:
    """Display text of every character, and the terminal column where each starts (one more: where the last
    ends).
    """
    cells: list[str] = []
    columns = [0]
    at = 0
    for char in line:
        if char == "\t":
            shown = " " * (TAB_WIDTH - at % TAB_WIDTH)
        else:
            shown = char if " " <= char <= "~" else _spelled(char)
        at += len(shown) if shown.isascii() else _columns(shown)
        cells.append(shown)
        columns.append(at)
    return cells, tuple(columns)


def _window(columns: tuple[int, ...], *, width: int, focus: tuple[int, int]) -> tuple[int, int]:
    """The part `first:last` of the line to show: a quarter of the room before the focus, the rest
    after it.
    """
    last_index = len(columns) - 1
    start, end = (max(0, min(column, last_index)) for column in focus)
    room_before = max(width // 4, width - (columns[end] - columns[start]) - width // 4)
    low = max(0, columns[start] - min(room_before, width // 2))
    low = min(low, max(0, columns[-1] - width))
    first = 0
    while columns[first] < low:
        first += 1
    last = first
    while last < last_index and columns[last + 1] - columns[first] <= width:
        last += 1
    return first, last


def _spelled(char: str) -> str:
    """A character as it may reach a terminal."""
    if " " <= char <= "~":
        return char
    code = ord(char)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}.get(char, f"\\x{code:02x}")
    if unicodedata.category(char) in {"Cf", "Cs", "Zl", "Zp"}:
        return f"\\u{{{code:04x}}}"
    return char


def _columns(char: str) -> int:
    """Terminal columns of one printable character: 0 for combining marks, 2 for wide East Asian ones."""
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
