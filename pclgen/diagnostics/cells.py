"""Text in a terminal: colors, display widths of characters, and a harmless spelling for those without one.

Source files may contain any text. It is rendered without control characters, with the number of terminal columns of each
character, so that carets stand under the right characters.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct

from pclgen.source.text import Span
from pclgen.widths import character_width

TAB_WIDTH = 4
ELLIPSIS = "..."
_NEAR = 3  # widths on either side of the focus: more than is shown, also when some characters take no room


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
    return len(shown) if shown.isascii() else sum(map(character_width, shown))


class Row(Struct, frozen=True, kw_only=True):
    """A displayed source line: its `text`, and the terminal columns of the examined source columns (0-based), from `_first`
    on."""

    text: str
    _first: int
    _columns: Sequence[int]

    def column(self, source_column: int) -> int:
        """Terminal column (0-based) where the character at `source_column` starts; outside of the displayed part, the nearer
        end of the row.
        """
        return self._columns[max(0, min(source_column - self._first, len(self._columns) - 1))]


def layout_row(line: Span, *, width: int, focus: tuple[int, int]) -> Row:
    """Lay out `line` in at most `width` columns (roughly), keeping the source columns `focus` (half-open) in sight.

    Only the characters near the focus of a long line are examined: many marks in it cost no more than in other lines.
    """
    length = line.end - line.start
    start = max(0, min(focus[0], length))
    near = _NEAR * width
    first = max(0, start - near) if length > 2 * near else 0
    end = min(length, start + near) if length > 2 * near else length
    cells, columns = _cells(line.file.text[line.start + first : line.start + end])
    if first == 0 and end == length and columns[-1] <= width:
        return Row(text="".join(cells), _first=0, _columns=columns)
    shown = (start - first, min(max(focus[1], start), end) - first)
    low, high = _window(columns, width=width - 2 * len(ELLIPSIS), focus=shown)
    before = ELLIPSIS if first + low > 0 else ""
    after = ELLIPSIS if first + high < length else ""
    shift = len(before) - columns[low]
    return Row(
        text=before + "".join(cells[low:high]) + after,
        _first=first,
        _columns=[min(max(column, columns[low]), columns[high]) + shift for column in columns],
    )


def _cells(line: str) -> tuple[Sequence[str], Sequence[int]]:
    """Display text of each character, the terminal column where it starts, and, at the end, the column where the last ends.
    """
    if line.isascii() and line.isprintable():
        return line, range(len(line) + 1)
    cells: list[str] = []
    columns = [0]
    at = 0
    for char in line:
        if char == "\t":
            shown = " " * (TAB_WIDTH - at % TAB_WIDTH)
        else:
            shown = char if " " <= char <= "~" else _spelled(char)
        at += len(shown) if shown.isascii() else character_width(shown)
        cells.append(shown)
        columns.append(at)
    return cells, columns


def _window(columns: Sequence[int], *, width: int, focus: tuple[int, int]) -> tuple[int, int]:
    """The part `first:last` of the line to show: a quarter of the width before the focus, the rest after it."""
    last_index = len(columns) - 1
    start, end = (max(0, min(column, last_index)) for column in focus)
    room_before = max(width // 4, width - (columns[end] - columns[start]) - width // 4)
    low = max(0, columns[start] - min(room_before, width // 2))
    low = min(low, max(0, columns[-1] - width))
    first = bisect_left(columns, low)
    last = max(first, bisect_right(columns, columns[first] + width) - 1)
    return first, min(last, last_index)


def _spelled(char: str) -> str:
    """A character in the form that is safe for a terminal."""
    if " " <= char <= "~":
        return char
    code = ord(char)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}.get(char, f"\\x{code:02x}")
    if unicodedata.category(char) in {"Cf", "Cs", "Zl", "Zp"}:
        return f"\\u{{{code:04x}}}"
    return char


# -- colors -----------------------------------------------------------------------------------------------------------------

class Role(Enum):
    """The role of a piece of output; the value is its ANSI attribute list."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;36"
    STRONG = "1"
    FRAME = "34"
    CAUSE = "1;34"
    HELP = "1;32"
    ADDED = "32"
    REMOVED = "31"
    PLAIN = ""


class Style(Struct, frozen=True):
    """Paints with ANSI colors if `color` is true, else leaves the text unchanged."""

    color: bool = False

    def paint(self, role: Role, text: str) -> str:
        """`text` in the color of `role`."""
        if not self.color or not text or role is Role.PLAIN:
            return text
        return f"\x1b[{role.value}m{text}\x1b[0m"


DIFF_ROLES: Mapping[str, Role] = {"+": Role.ADDED, "-": Role.REMOVED, "@": Role.FRAME}
